/** Texts from outside as agent, model, session, reason, ids, trail and person: what they may do to a commit. */

import { ERROR_CODES } from '../../src/errors.ts';
import { runTool, type WorkspaceOptions } from '../../src/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { Random, type Tally } from './tally.ts';

/** What makes a text dangerous in a commit, a trailer, a ref name or on a terminal. */
const PIECES: readonly string[] = [
  'a',
  'agent',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\0',
  '\t',
  '\u001b[2J',
  '\u001b]0;title\u0007',
  '\u009b31m',
  '\u007f',
  '\b',
  '<',
  '>',
  '<a@b>',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
  '\ud800',
  '\ufeff',
  '\u00a0',
  'Vedit-Op: undo',
  'Vedit-Undoes: 0000000000000000000000000000000000000000',
  '\nVedit-Session: other',
  '\n---\n',
  '---',
  '# comment',
  'parent 0000000000000000000000000000000000000000',
  'gpgsig -----BEGIN PGP SIGNATURE-----',
  '..',
  '/',
  '.lock',
  '@{',
  '~',
  '^',
  ':',
  '?',
  '*',
  '[',
  '\\',
  '$(id)',
  '`id`',
  '%n%s',
  '"',
  "'",
  'é',
  '\u{1f600}',
  '-',
  '--exec',
];

export function hostileText(random: Random): string {
  if (random.once(40)) return 'x'.repeat(random.pick([4096, 4097, 70_000, 1_000_000]));
  return Array.from({ length: 1 + random.below(5) }, () => random.pick(PIECES)).join('');
}

const FIELDS = ['agent', 'model', 'id', 'reason', 'call_id', 'edit_id', 'trail', 'name', 'email'] as const;
type Texts = Partial<Record<(typeof FIELDS)[number], string>>;

/** Makes `count` edits with such texts, one repository for all. */
export async function fuzzTexts(count: number, seed: number): Promise<Tally> {
  const random = new Random(seed);
  const repo = personRepo({ 'a.txt': 'a\n' });
  const lost: string[] = [];
  let done = 0;
  for (let n = 0; n < count; n++) {
    const texts: Texts = {};
    for (const field of FIELDS) if (random.once(4)) texts[field] = hostileText(random);
    const faults = await tryTexts(repo, texts, n);
    if (faults === 'done') done++;
    else lost.push(...faults.map(fault => `${JSON.stringify(texts).slice(0, 300)}: ${fault}`));
  }
  const fsck = repo.git('fsck', '--strict', '--no-dangling');
  if (fsck !== '') lost.push(fsck);
  const refs = repo.git('for-each-ref', '--format=%(refname)').split('\n');
  const strange = refs.filter(ref => !/^refs\/(heads\/main|vedit\/.+)$/.test(ref));
  if (strange.length > 0) lost.push(`refs ${strange.join(' ')}`);
  return { name: 'texts', tried: count, lost, notes: `${done} were taken, the others refused; seed ${seed}` };
}

/** `done` when the edit was made and its commit is sound. */
export async function tryTexts(repo: Place, texts: Texts, n: number): Promise<'done' | string[]> {
  const { agent, model, id, trail, name, email, ...input } = texts;
  const user =
    name !== undefined || email !== undefined ? { name: name ?? 'A', email: email ?? 'a@b' } : undefined;
  const options: Partial<WorkspaceOptions> = { trail, user, outside: 'record' };
  const path = `f${n}.txt`;
  const result = await repo
    .open(options)
    .then(workspace => workspace.session({ agent, model, id }))
    .then(
      session => runTool(session, 'create', { path, file_text: 'x\n', ...input }),
      error => ({ ok: false as const, code: String(error.code), message: String(error.message) }),
    );
  if (!result.ok) {
    if (!(result.code in ERROR_CODES)) return [`no code: ${JSON.stringify(result)}`];
    return ['INTERNAL_ERROR', 'STORE_FAILED'].includes(result.code) ? [result.message] : [];
  }
  const { commit, repeated } = result.data as { commit: string; repeated?: boolean };
  // Chance made an edit_id that was there before: it is answered with that edit, which was looked at then.
  if (repeated) return 'done';
  const faults = commitFaults(repo, commit, path, texts);
  return faults.length > 0 ? faults : 'done';
}

/** What is wrong with a commit that such texts went into. */
function commitFaults(repo: Place, commit: string, path: string, texts: Texts): string[] {
  const raw = repo.pipe('', 'cat-file', 'commit', commit).toString();
  const end = raw.indexOf('\n\n');
  const faults: string[] = [];
  const header = raw
    .slice(0, end)
    .split('\n')
    .map(line => line.split(' ')[0]);
  if (!/^tree(,parent)?,author,committer$/.test(header.join())) faults.push(`header ${header.join()}`);
  if (/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(raw))
    faults.push('control characters');
  const parsed = repo
    .pipe(raw.slice(end + 2), 'interpret-trailers', '--parse')
    .toString()
    .trim()
    .split('\n');
  const expected = [
    'Vedit-Op: create',
    `Vedit-Path: ${path}`,
    ...parsed.filter(line => /^Vedit-Head: [0-9a-f]{40}$/.test(line)).slice(0, 1),
    ...parsed.filter(line => line === 'Vedit-Branch: main').slice(0, 1),
    ...parsed.filter(line => line === 'Vedit-Line: 2').slice(0, 1),
    ...(texts.id === undefined
      ? parsed.filter(line => /^Vedit-Session: [0-9a-f]{12}$/.test(line))
      : [`Vedit-Session: ${texts.id}`]),
    ...(texts.agent === undefined ? [] : [`Vedit-Agent: ${texts.agent}`]),
    ...(texts.model === undefined ? [] : [`Vedit-Model: ${texts.model}`]),
    ...(texts.call_id === undefined ? [] : [`Vedit-Call: ${texts.call_id}`]),
    ...(texts.edit_id === undefined ? [] : [`Vedit-Edit-Id: ${texts.edit_id}`]),
    ...(texts.edit_id === undefined
      ? []
      : parsed.filter(line => /^Vedit-Edit-Hash: [0-9a-f]{40}$/.test(line)).slice(0, 1)),
  ];
  if (parsed.join('\n') !== expected.join('\n')) faults.push(`trailers ${JSON.stringify(parsed)}`);
  return faults;
}
