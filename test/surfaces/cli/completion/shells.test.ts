/** The scripts in the shells that they are for, asked for what they offer. A shell that is not here is passed over. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { plainFolder, vedit } from '../../../helpers/vedit.ts';

const ASK = join(import.meta.dirname, 'ask.zsh');
const isHere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** A line to complete, and what is offered: all of it, in any order. */
const CASES: ReadonlyArray<readonly [line: string, offers: readonly string[]]> = [
  ['vedit re', ['redo', 'replace', 'restore', 'revert', 'review']],
  ['vedit log --onel', ['--oneline']],
  ['vedit --color ', ['always', 'auto', 'never']],
  ['vedit log --session ', ['session-one', 'session-two']],
  ['vedit replace --on-stale ', ['rebase', 'refuse']],
  ['vedit undo ', ['commit-one', 'commit-two']],
  ['vedit install clau', ['claude-code', 'claude-desktop']],
  ['vedit -C other log --session ', ['other-session']],
  ['vedit view src/', ['src/app.js']],
  ['git vedit und', ['undo']],
  ['git vedit log --agent ', ['agent-one', 'agent-two']],
];

/** A folder with the scripts where the shells look for them, and a `vedit` that knows two names of each kind. */
async function home(shell: string): Promise<Sandbox> {
  const box = plainFolder();
  const script = (await vedit(box, ['completion', shell])).out;
  for (const folder of ['bin', 'zsh', 'fish/conf.d', 'src']) mkdirSync(box.path(folder), { recursive: true });
  for (const file of ['zsh/_vedit', 'zsh/_git-vedit', 'fish/conf.d/vedit.fish', 'script.bash'])
    writeFileSync(box.path(file), script);
  writeFileSync(box.path('src/app.js'), '');
  const answers =
    '#!/bin/sh\nif [ "$1" = -C ]; then printf "$2-%s\\tabout: it\\n" "$5"; else printf "$3-%s\\tabout: it\\n" one two; fi\n';
  for (const name of ['bin/vedit', 'bin/git-vedit']) {
    writeFileSync(box.path(name), answers);
    chmodSync(box.path(name), 0o755);
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
