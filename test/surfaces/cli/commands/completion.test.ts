import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../../src/surfaces/cli/commands/index.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, plainFolder, vedit } from '../../../helpers/vedit.ts';

const script = async (shell: string): Promise<string> =>
  (await vedit(plainFolder(), ['completion', shell])).out;

/** What bash offers for the last word. */
async function offered(...words: string[]): Promise<string[]> {
  const ask = `${await script('bash')}
    vedit() { printf '%s\\tabout\\n' "$3-one" "$3-two"; }
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
      ['review', 'restore', 'redo', 'revert', 'replace'],
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
    [
      ['vedit', 'log', '--session', ''],
      ['session-one', 'session-two'],
    ],
    [['git', 'vedit', 'log', '--agent', 'agent-t'], ['agent-two']],
    [['vedit', 'status', '--trail', 'trail-o'], ['trail-one']],
    [
      ['vedit', 'undo', 'c'],
      ['commit-one', 'commit-two'],
    ],
    [['vedit', 'restore', '--at', 'commit-t'], ['commit-two']],
    [
      ['vedit', 'replace', '--on-stale', 're'],
      ['refuse', 'rebase'],
    ],
    [
      ['vedit', 'land', '--onto', 'b'],
      ['branch-one', 'branch-two'],
    ],
    [['vedit', 'help', 'command-o'], ['command-one']],
    [['vedit', 'land', '-m', 'x'], []],
    [['vedit', 'view', 'package.j'], ['package.json']],
    [['vedit', 'log', 'package.js'], ['package.json']],
  ])('offers for %j: %j', async (words, offers) => {
    expect(await offered(...words)).toEqual(offers);
  });
});

describe('the names that scripts ask for', () => {
  const listed = async (box: Sandbox, kind: string): Promise<string[]> => {
    const { code, out, err } = await vedit(box, ['completion', '--list', kind]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out.split('\n').filter(line => line !== '');
  };

  it('are those of the repository, each with what it is', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE', '--agent', 'fixer', '--session', 's1']);
    const id = box.git('rev-parse', '--short=7', 'vedit/main');
    expect(await listed(box, 'commit')).toEqual(['@\tthe newest', `${id}\tstr_replace a.txt (+1 -1)`]);
    expect(await listed(box, 'session')).toEqual(['s1\tfixer, 1 edit']);
    expect(await listed(box, 'agent')).toEqual(['fixer\t1 edit']);
    expect(await listed(box, 'trail')).toEqual(['main\t1 edit']);
    expect(await listed(box, 'branch')).toEqual(['main\tbranch']);
    expect(await listed(box, 'op')).toEqual(['str_replace\tedit']);
    expect(await listed(box, 'command')).toHaveLength(commands.length);
  });

  it('are none where there is no repository', async () => {
    expect(await listed(plainFolder(), 'session')).toEqual([]);
  });
});

describe.each(['bash', 'zsh', 'fish'])('the script for %s', shell => {
  it('knows every command and every option', async () => {
    const text = await script(shell);
    for (const { name, load } of commands) {
      expect(text).toContain(name);
      for (const { flags, hidden } of (await load()).options ?? []) {
        if (hidden) continue;
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
