/**
 * The action on a server of its own: random pull requests of two agents and a person, squashed or merged, on a branch that moved
 * on. Every line says who wrote it, so that each line of a note can be judged. PULL_REQUESTS=200 is a longer run.
 */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../src/index.ts';
import { repository, type Sandbox } from '../helpers/real-git.ts';
import { ROOT } from '../helpers/source.ts';
import { BIN, cleanEnv, content, home } from '../helpers/vedit.ts';

const COUNT = Number(process.env.PULL_REQUESTS ?? 4);
const AGENTS = ['fixer', 'writer'];

/** The same numbers for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Runs the action where the server's copy is checked out. */
function act(box: Sandbox, cwd: string, event: object): string {
  const path = box.path('../event.json');
  writeFileSync(path, JSON.stringify(event));
  const env = { ...cleanEnv(box), VEDIT: `${process.execPath} ${BIN}`, GITHUB_EVENT_PATH: path };
  return execFileSync(process.execPath, [join(ROOT, 'action/main.mjs')], { cwd, env, encoding: 'utf8' });
}

/** By line of each file, the agent that the note names. */
function noted(note: string): Map<string, string> {
  const [lines = '', metadata = '{}'] = note.split(/^---$/m);
  const { prompts, schema_version } = JSON.parse(metadata);
  expect(schema_version).toBe('authorship/3.0.0');
  const found = new Map<string, string>();
  let path = '';
  for (const line of lines.split('\n').filter(Boolean)) {
    const [, hash, ranges] = /^ {2}([0-9a-f]{16}) ([\d,-]+)$/.exec(line) ?? [];
    if (hash === undefined) path = line.replace(/^"(.*)"$/, '$1');
    else
      for (const range of ranges!.split(',')) {
        const [start, end = start] = range.split('-').map(Number);
        for (let n = start!; n <= end!; n++) found.set(`${path}:${n}`, prompts[hash].agent_id.tool);
      }
  }
  return found;
}

/** Two agents and a person work on a branch, and the person lands it. Answers the name of a file that an agent made. */
async function worked(box: Sandbox, pick: (below: number) => number, n: number): Promise<void> {
  const workspace = await openWorkspace({ root: box.dir });
  const sessions = AGENTS.map(agent => workspace.session({ agent, id: `${agent}-${n}` }));
  for (let step = 0; step < 5 + pick(6); step++) {
    const path = `f${pick(3)}.txt`;
    const lines = content(box, path).split('\n').slice(0, -1);
    const at = pick(lines.length);
    if (pick(4) === 0) {
      lines.splice(at, 0, `person ${n}.${step}.`);
      box.write(path, `${lines.join('\n')}\n`);
      continue;
    }
    const who = pick(2);
    const text = `${AGENTS[who]} ${n}.${step}.`;
    const reason = `reason ${n}.${step}`;
    const session = sessions[who]!;
    await session.view({ path });
    if (pick(3) > 0)
      await session.edit('insert', { path, insert_line: at, insert_text: `${text}\n`, reason });
    else await session.edit('str_replace', { path, old_str: lines[at]!, new_str: text, reason });
  }
  await sessions[0]!.edit('create', {
    ...{ path: `made ${n}.txt`, file_text: `fixer made ${n}\n` },
    reason: 'a file',
  });
  await workspace.close();
}

it(`${COUNT} random pull requests: each line of an agent is noted as that agent’s, and no other`, {
  timeout: 3_600_000,
}, async () => {
  const box = repository();
  box.git('config', 'user.name', 'Ada');
  box.git('config', 'user.email', 'ada@example.com');
  const server = box.path('../server.git');
  const ci = box.path('../ci');
  const vedit = (...args: string[]): string =>
    execFileSync(process.execPath, [BIN, ...args], {
      cwd: box.dir,
      env: cleanEnv(box),
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const on = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, {
      cwd,
      env: { ...cleanEnv(box), ...WHO },
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  home(box);
  box.git('init', '-q', '--bare', '-b', 'main', server);
  box.git('remote', 'add', 'origin', server);
  for (let f = 0; f < 3; f++)
    box.write(`f${f}.txt`, Array.from({ length: 12 }, (_, n) => `first ${f} ${n}.\n`).join(''));
  box.git('add', '.');
  box.git('commit', '-qm', 'first');
  box.git('push', '-q', 'origin', 'HEAD:main');
  on(box.path('..'), 'clone', '-q', server, ci);
  for (let n = 0; n < COUNT; n++) {
    const pick = random(n + 1);
    box.git('checkout', '-qfB', `topic-${n}`, 'origin/main');
    await worked(box, pick, n);
    vedit('land', '-m', `Topic ${n}`, '--with-outside', '--no-edit');
    box.git('push', '-q', 'origin', `topic-${n}`);
    vedit('push', '--with-outside', '--with-unpushed-commits', '--with-reviews');
    on(ci, 'fetch', '-q', 'origin');
    on(ci, 'checkout', '-qB', 'main', 'origin/main');
    const [base, head] = [on(ci, 'rev-parse', 'HEAD'), on(ci, 'rev-parse', `origin/topic-${n}`)];
    const table = act(box, ci, { pull_request: { number: n, base: { sha: base }, head: { sha: head } } });
    expect(table).toContain(`\`made ${n}.txt\` | 1 | fixer | a file | **no**`);
    // Somebody else's commit lands before it; then the server squashes, and its message tells nothing.
    const other = `f${pick(3)}.txt`;
    writeFileSync(join(ci, other), `person elsewhere ${n}.\n${on(ci, 'show', `HEAD:${other}`)}\n`);
    on(ci, 'commit', '-qam', 'elsewhere');
    on(ci, 'merge', '-q', '--squash', '-Xours', head);
    on(ci, 'commit', '-qm', `Squashed ${n}`);
    on(ci, 'push', '-q', 'origin', 'main');
    const after = on(ci, 'rev-parse', 'HEAD');
    act(box, ci, { before: base, after });
    const found = noted(on(ci, 'notes', '--ref=refs/notes/ai', 'show', after));
    const truth = new Map<string, string>();
    for (const path of on(ci, 'diff', '--name-only', 'HEAD~').split('\n'))
      for (const [at, line] of on(ci, 'show', `HEAD:${path}`).split('\n').entries())
        if (new RegExp(`^(fixer|writer)( made)? ${n}(\\.|$)`).test(line))
          truth.set(`${path}:${at + 1}`, line.split(' ')[0]!);
    expect([n, [...found].sort()]).toEqual([n, [...truth].sort()]);
    expect(on(server, 'for-each-ref', '--format=%(refname)', 'refs/notes')).toBe('refs/notes/ai');
    box.git('fetch', '-q', 'origin');
  }
});

const WHO = {
  ...{ GIT_AUTHOR_NAME: 'Bob', GIT_AUTHOR_EMAIL: 'bob@example.com' },
  ...{ GIT_COMMITTER_NAME: 'Bob', GIT_COMMITTER_EMAIL: 'bob@example.com' },
};
