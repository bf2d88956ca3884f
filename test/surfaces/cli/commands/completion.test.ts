import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../../src/surfaces/cli/commands/index.ts';
import { plainFolder, vedit } from '../run.ts';

const script = async (shell: string): Promise<string> =>
  (await vedit(plainFolder(), ['completion', shell])).out;

/** What bash offers for the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const ask = `${await script('bash')}
    COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _vedit_complete; echo "\${COMPREPLY[*]}"`;
  const answer = execFileSync('bash', ['-c', ask, 'bash', ...words])
    .toString()
    .trim();
  return answer === '' ? [] : answer.split(' ');
}

describe('completion in bash', () => {
  it.each([
    [
      ['vedit', 're'],
      ['replace', 'redo', 'revert', 'restore'],
    ],
    [
      ['vedit', 'replace', '--ol'],
      ['--old', '--old-file'],
    ],
    [['vedit', '-C', 'x', 'log', '--on'], ['--oneline']],
    [
      ['vedit', '--color', ''],
      ['auto', 'always', 'never'],
    ],
    [['vedit', 'completion', 'f'], ['fish']],
    [['git', 'vedit', 'un'], ['undo']],
    [['vedit', 'view', 'a'], []],
  ])('offers for %j: %j', async (words, offers) => {
    expect(await offered(...words)).toEqual(offers);
  });
});

describe.each(['bash', 'zsh', 'fish'])('the script for %s', shell => {
  it('knows every command and every option', async () => {
    const text = await script(shell);
    for (const { name, load } of commands) {
      expect(text).toContain(name);
      for (const { flags } of (await load()).options ?? []) {
        const long = /--([\w-]+)/.exec(flags)![1]!;
        expect(text).toContain(shell === 'fish' ? `-l ${long} ` : `--${long}`);
      }
    }
  });
});

describe('quotes in a script', () => {
  it.each(['zsh', 'fish'])('are balanced for %s, as the shell would count them', async shell => {
    const escaped = shell === 'fish' ? /\\['\\]/g : /'\\''/g;
    for (const line of (await script(shell)).split('\n').filter(one => !one.startsWith('#'))) {
      expect((line.replace(escaped, '').match(/'/g) ?? []).length % 2, line).toBe(0);
    }
  });
});
