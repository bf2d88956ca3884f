/** The scripts in the shells that they are for, asked for what they offer. A shell that is not here is passed over. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { BIN, personRepo, vedit } from '../../../helpers/vedit.ts';

const ASK = join(import.meta.dirname, 'ask.zsh');
const isHere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** A line to complete, and what is offered: all of it, in any order. */
const CASES: ReadonlyArray<readonly [line: string, offers: readonly string[]]> = [
  ['vedit re', ['redo', 'reject', 'replace', 'replace-symbol', 'reply', 'restore', 'revert', 'review']],
  ['vedit log --onel', ['--oneline']],
  ['vedit --color ', ['always', 'auto', 'never']],
  ['vedit log --session ', ['session-one', 'session-two']],
  ['vedit replace --on-stale ', ['rebase', 'refuse']],
  ['vedit install clau', ['claude-code', 'claude-desktop']],
  ['vedit -C other log --session ', ['session-other']],
  ['vedit view src/', ['src/b.txt']],
  ['git vedit und', ['undo']],
  ['git vedit log --agent ', ['agent-one', 'agent-two']],
];

/** A repository with the scripts where the shells look for them, the real `vedit`, and edits of two sessions. */
async function home(shell: string): Promise<Sandbox> {
  const box = personRepo();
  const script = (await vedit(box, ['completion', shell])).out;
  for (const folder of ['bin', 'zsh', 'fish/conf.d', 'src', 'other'])
    mkdirSync(box.path(folder), { recursive: true });
  for (const file of ['zsh/_vedit', 'zsh/_git-vedit', 'fish/conf.d/vedit.fish', 'script.bash'])
    writeFileSync(box.path(file), script);
  for (const name of ['bin/vedit', 'bin/git-vedit']) symlinkSync(BIN, box.path(name));
  execFileSync('git', ['init', '-q', box.path('other')]);
  for (const [by, folder] of [
    ['one', '.'],
    ['two', '.'],
    ['other', 'other'],
  ] as const) {
    const who = ['--agent', `agent-${by}`, '--session', `session-${by}`];
    await vedit(box, ['-C', folder, 'create', `${by}.txt`, '-', ...who], { input: 'x\n' });
  }
  return box;
}

function run(box: Sandbox, program: string, args: readonly string[]): string {
  const env = {
    ...process.env,
    PATH: `${box.path('bin')}:${process.env.PATH}`,
    XDG_CONFIG_HOME: box.path('.'),
    XDG_DATA_HOME: box.path('data'),
    TERM: 'dumb',
  };
  return execFileSync(program, args, { cwd: box.path('.'), env, timeout: 60_000 }).toString();
}

const OFFERED: Readonly<Record<string, (box: Sandbox, line: string) => string[]>> = {
  bash: (box, line) => {
    const words = line.split(' ');
    const how = line.startsWith('git ') ? '_git_vedit' : '_vedit_complete';
    const ask = `. ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); ${how}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run(box, 'bash', ['-c', ask, 'bash', ...words])
      .trim()
      .split('\n');
  },
  zsh: (box, line) =>
    [...run(box, 'zsh', ['-f', ASK, box.path('zsh'), line]).matchAll(/<([^<>]+)>/g)]
      .flatMap(([, names]) => names!.split('|'))
      // Of a path, zsh completes the last part.
      .map(name => (line.endsWith('/') ? line.split(' ').at(-1) + name : name)),
  fish: (box, line) =>
    run(box, 'fish', ['-c', `complete -C '${line}'`])
      .trim()
      .split('\n')
      .map(one => one.split('\t')[0]!),
};

describe.each(Object.keys(OFFERED))('completion in %s', shell => {
  it('offers what there is', { timeout: 120_000 }, async ({ skip }) => {
    if (!isHere(shell)) skip(`${shell} is not installed here`);
    const box = await home(shell);
    const offered = CASES.map(([line]) => [line, [...new Set(OFFERED[shell]!(box, line))].sort()]);
    expect(offered).toEqual(CASES);
  });
});
