import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { tools } from '../../src/tools/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { vedit } from '../helpers/vedit.ts';

/** Every way in which a repository names a program that some command of git runs. */
const KEYS = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.gitProxy',
  'core.askPass',
  'core.editor',
  'core.pager',
  'core.alternateRefsCommand',
  'sequence.editor',
  'pager.log',
  'diff.external',
  'diff.evil.command',
  'diff.evil.textconv',
  'merge.evil.driver',
  'filter.evil.clean',
  'filter.evil.smudge',
  'filter.evil.process',
  'gpg.program',
  'gpg.ssh.program',
  'credential.helper',
  'interactive.diffFilter',
  'uploadpack.packObjectsHook',
];

const HOOKS = [
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-checkout',
  'post-merge',
  'post-rewrite',
  'post-index-change',
  'reference-transaction',
  'fsmonitor-watchman',
  'pre-auto-gc',
];

/** A repository that starts a program at every turn; the program leaves a mark. */
function armed(): { repo: Place; mark: string } {
  const repo = personRepo({ 'a.txt': 'a\nb\nc\n', 'src/auth.ts': 'x\n', 'evil.bin': 'e\n' });
  const mark = repo.path('..', 'mark');
  const program = repo.path('..', 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`);
  chmodSync(program, 0o755);
  repo.write('.gitattributes', '*.bin filter=evil diff=evil merge=evil\n*.txt diff=evil merge=evil\n');
  for (const key of KEYS) repo.git('config', key, program);
  repo.git('config', 'core.hooksPath', repo.path('..', 'hooks'));
  for (const folder of [repo.path('..', 'hooks'), repo.path('.git/hooks')]) {
    mkdirSync(folder, { recursive: true });
    for (const hook of HOOKS) {
      writeFileSync(`${folder}/${hook}`, `#!/bin/sh\n${program} ${hook}\n`);
      chmodSync(`${folder}/${hook}`, 0o755);
    }
  }
  return { repo, mark };
}

it('the trap works: git itself runs what the repository names', () => {
  const { repo, mark } = armed();
  repo.git('status');
  expect(existsSync(mark)).toBe(true);
});

it('no tool runs a program that the repository names', async () => {
  const { repo, mark } = armed();
  for (const options of [{}, { trail: 'HEAD' }]) {
    const session = await repo.session('s1', options);
    for (const tool of tools) await runTool(session, tool.name, tool.example);
    for (const path of ['a.txt', 'evil.bin']) {
      await runTool(session, 'view', { path });
      await runTool(session, 'str_replace', { path, old_str: path[0]!, new_str: 'x' });
    }
    for (const name of ['undo', 'redo', 'status', 'diff', 'log']) await runTool(session, name, {});
  }
  expect(existsSync(mark)).toBe(false);
});

it('nor does a command, but for land, which is asked to honour hooks', async () => {
  const { repo, mark } = armed();
  const commands = [
    ['view', 'a.txt'],
    ['replace', 'a.txt', 'b', 'B'],
    ['create', 'new.txt', '--text', 'x'],
    ['mv', 'new.txt', 'moved.txt'],
    ['rm', 'moved.txt'],
    ['undo'],
    ['redo'],
    ['log', '-p'],
    ['show'],
    ['diff'],
    ['status'],
    ['verify'],
    ['rollback', '~1', '-n'],
  ];
  for (const args of commands) await vedit(repo, args, { tty: ['out'], env: { PAGER: '' } });
  expect(existsSync(mark)).toBe(false);
});

it('nor does the completion of branches, which runs git', async () => {
  const { repo, mark } = armed();
  const words = await vedit(repo, ['completion', '--list', 'branch']);
  expect([words.code, existsSync(mark) && readFileSync(mark, 'utf8')]).toEqual([0, false]);
});

it('nor does gc, which runs git', async () => {
  const { repo, mark } = armed();
  repo.git('-c', 'core.fsmonitor=false', 'update-index', '--fsmonitor');
  rmSync(mark, { force: true });
  const session = await repo.session();
  for (let n = 0; n < 40; n++)
    await session.edit('create', { path: 'n.txt', file_text: `${n}\n`, overwrite: true });
  const { out } = await vedit(repo, ['gc', '--prune-trails', '1d']);
  expect(out).toContain('packed by git');
  expect(existsSync(mark)).toBe(false);
});
