import { describe, expect, it } from 'vitest';
import { commands } from '../../../../src/surfaces/cli/commands/index.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, plainFolder, vedit } from '../../../helpers/vedit.ts';

/** Words after `vedit`, and what is offered for the last of them. */
const LINES: ReadonlyArray<readonly [words: readonly string[], offers: readonly string[]]> = [
  [['re'], ['review', 'reject', 'restore', 'redo', 'replace', 'replace-symbol', 'revert', 'reply']],
  [
    ['replace', '--ol'],
    ['--old', '--old-file'],
  ],
  [['-C', 'x', 'log', '--on'], ['--oneline']],
  [
    ['--color', ''],
    ['auto', 'always', 'never'],
  ],
  [['completion', 'f'], ['fish']],
  [['un'], ['undo', 'uninstall']],
  [
    ['log', '--session', ''],
    ['session-two', 'session-one'],
  ],
  [['log', '--agent', 'agent-t'], ['agent-two']],
  [['status', '--trail', 'm'], ['main']],
  [['undo', '@'], ['@']],
  [['restore', '--at', '@'], ['@']],
  [
    ['replace', '--on-stale', 're'],
    ['refuse', 'rebase'],
  ],
  [['land', '--onto', 'b'], ['branch-two']],
  [
    ['help', 'un'],
    ['undo', 'uninstall'],
  ],
  [['land', '-m', 'x'], []],
  [['view', 'package.j'], [':file']],
  [['log', 'package.js'], [':file']],
  [['-C', 'nowhere', 'log', '--session', ''], []],
  [[''], commands.map(one => one.name)],
];

describe('completion of a line', () => {
  /** A repository with an edit of each of two sessions. */
  async function edited(): Promise<Sandbox> {
    const box = personRepo();
    for (const [old, by] of Object.entries({ one: 'one', two: 'two' }))
      await vedit(box, [
        'replace',
        'a.txt',
        old,
        `${old}!`,
        '--agent',
        `agent-${by}`,
        '--session',
        `session-${by}`,
      ]);
    box.git('branch', 'branch-two');
    return box;
  }

  async function offered(box: Sandbox, words: readonly string[]): Promise<string[]> {
    const { code, out, err } = await vedit(box, ['completion', '--list', 'line', '--', ...words]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out
      .split('\n')
      .slice(0, -1)
      .map(line => line.split('\t')[0]!);
  }

  it('offers what there is', async () => {
    const box = await edited();
    for (const [words, offers] of LINES) expect([words, await offered(box, words)]).toEqual([words, offers]);
  });

  it('knows every option of every command', async () => {
    const box = plainFolder();
    for (const { name, load } of commands) {
      const flags = ((await load()).options ?? []).map(one => /--[\w-]+/.exec(one[0])![0]);
      expect(await offered(box, [name, '-'])).toEqual(expect.arrayContaining(flags));
    }
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
    expect(await listed(box, 'trail')).toEqual(['main\thistory']);
    expect(await listed(box, 'branch')).toEqual(['main\tbranch']);
    expect(await listed(box, 'op')).toEqual(['str_replace\tedit']);
    expect(await listed(box, 'command')).toHaveLength(commands.length);
  });

  it('are none where there is no repository', async () => {
    expect(await listed(plainFolder(), 'session')).toEqual([]);
  });
});
