import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasPython, onTerminal } from '../../../helpers/pty.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, type Ran, type RunOptions, vedit, veditJson } from '../../../helpers/vedit.ts';

const ENV = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.invalid',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.invalid',
  PAGER: 'cat',
};
const TTY: RunOptions = { env: { ...ENV, TERM: 'xterm' }, tty: ['in', 'out', 'err'] };

/** One edit by fixer in two files, and one by writer. */
async function edited(): Promise<Sandbox> {
  const box = personRepo();
  const edits = [
    { edit: 'str_replace', path: 'a.txt', old_str: 'one', new_str: 'ONE' },
    { edit: 'str_replace', path: 'src/b.txt', old_str: 'x = 1', new_str: 'x = 2' },
  ];
  const input = JSON.stringify({ tool: 'change', input: { edits, reason: 'louder' } });
  await vedit(box, ['apply', '--agent', 'fixer'], { input });
  await vedit(box, ['create', 'n.txt', '--text', 'n\n', '--agent', 'writer']);
  return box;
}

/** Lands with an editor that runs this shell line on the file in `$1`. */
function landWith(box: Sandbox, script: string, ...args: string[]): Promise<Ran> {
  box.write('../editor.sh', `#!/bin/sh\n${script}\n`);
  chmodSync(box.path('..', 'editor.sh'), 0o755);
  return vedit(box, ['land', ...args], {
    ...TTY,
    env: { ...TTY.env, GIT_EDITOR: box.path('..', 'editor.sh') },
  });
}

const message = (box: Sandbox): string => box.git('log', '-1', '--format=%B');

describe('vedit land on a terminal', () => {
  it('opens the editor with the message, and lands with what it leaves', async () => {
    const box = await edited();
    const { code } = await landWith(box, `cp "$1" "$1.seen"; sed -i '1s/.*/Louder/' "$1"`);
    expect(code).toBe(0);
    expect(message(box)).toMatch(
      /^Louder\n\n- louder \(2 files\)\n- create n\.txt .*\n\nAssisted-by: fixer\n/,
    );
    const seen = readFileSync(box.path('.git', 'COMMIT_EDITMSG.seen'), 'utf8');
    expect(seen).toMatch(/^2 edits by 2 agents: .*\n\n- louder/);
    expect(seen).toContain('# On branch main. These are added below the message:\n# \tAssisted-by: fixer\n');
    expect(seen).toContain('# \tmodify:  a.txt (+1 -1)\n');
  });

  it('shows the diff below the scissors, which are no part of the message', async () => {
    const box = await edited();
    const { code } = await landWith(
      box,
      `cp "$1" "$1.seen"; echo 'below it' >> "$1"; sed -i '1s/.*/# Louder/;2s/.*/Up/' "$1"`,
    );
    expect(code).toBe(0);
    const seen = readFileSync(box.path('.git', 'COMMIT_EDITMSG.seen'), 'utf8');
    expect(seen).toMatch(
      /\n# -{24} >8 -{24}\n# Do not modify or remove the line above\.\n.*\ndiff --git a\/a\.txt/,
    );
    expect(seen).toContain('\n-one\n+ONE\n');
    expect(message(box)).toMatch(/^Up\n/);
    expect(message(box)).not.toMatch(/below it|diff --git/);
  });

  it('keeps the message that a hook refused, and offers it again', async () => {
    const box = await edited();
    box.write('.git/hooks/commit-msg', '#!/bin/sh\ntest ! -e .git/no\n');
    chmodSync(box.path('.git/hooks/commit-msg'), 0o755);
    box.write('.git/no', '');
    const refused = await landWith(box, `echo 'Worded with care' > "$1"`);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('your message is kept') });
    rmSync(box.path('.git/no'));
    const { code } = await landWith(box, `cp "$1" "$1.seen"`);
    expect(code).toBe(0);
    expect(message(box)).toMatch(/^Worded with care\n\nAssisted-by/);
    expect(readFileSync(box.path('.git', 'COMMIT_EDITMSG.seen'), 'utf8')).toContain('that was refused');
    await vedit(box, ['replace', 'n.txt', 'n', 'N']);
    await landWith(box, `cp "$1" "$1.seen"`);
    expect(message(box)).toMatch(/^str_replace n\.txt/);
  });

  it('lands nothing when the message is empty, or the editor fails', async () => {
    const box = await edited();
    const empty = await landWith(box, `echo '# only a comment' > "$1"`);
    expect(empty).toMatchObject({ code: 1, err: 'vedit: nothing landed: the message is empty\n' });
    const failed = await landWith(box, 'exit 1');
    expect(failed.code).toBe(128);
    expect(failed.err).toContain('There was a problem with the editor');
    expect(box.git('rev-list', '--count', 'main')).toBe('1');
  });

  it.each([[['-m', 'Mine']], [['--no-edit']], [['-n']], [['--json']], [['--each']]])(
    'opens none with %j',
    async args => {
      const { code } = await landWith(await edited(), 'exit 1', ...args);
      expect(code).toBe(0);
    },
  );
});

describe('what lands', () => {
  it.each<[string[], string[]]>([
    [['src'], ['src/b.txt']],
    [
      ['n.txt', 'a.txt'],
      ['a.txt', 'n.txt'],
    ],
    [['--agent', 'writer'], ['n.txt']],
    [['~1', 'src/b.txt'], ['src/b.txt']],
  ])('is what is asked for: %j', async (args, paths) => {
    const box = await edited();
    const done = await vedit(box, ['land', '-m', 'x', ...args], { env: ENV });
    expect(done).toMatchObject({ code: 0 });
    expect(box.git('diff', '--name-only', 'HEAD~1', 'HEAD').split('\n')).toEqual(paths);
  });

  it('is told as open until all of an edit has landed', async () => {
    const box = await edited();
    await vedit(box, ['land', '-m', 'x', 'src'], { env: ENV });
    expect(message(box)).not.toContain('Vedit-Lands');
    expect((await veditJson<{ left: number }>(box, ['status'])).data.left).toBe(2);
    await vedit(box, ['land', '-m', 'y', 'a.txt', 'n.txt'], { env: ENV });
    expect((await veditJson<{ left: number }>(box, ['status'])).data.left).toBe(0);
  });

  it('is refused where there is none', async () => {
    const box = await edited();
    expect((await vedit(box, ['land', '-m', 'x', 'nope'], { env: ENV })).err).toContain(
      'no edit in nope that has not landed',
    );
    expect((await vedit(box, ['land', '-m', 'x', '--agent', 'nobody'], { env: ENV })).err).toContain(
      'no edit by nobody',
    );
  });
});

describe('the hooks of the repository', () => {
  it.each([
    [0, /^checked\nfine\n\[main \w{7}\] Mine\n$/],
    [1, /^checked\nfine\nvedit: GIT_REFUSED: Git did not make the commit, and nothing was changed\.\n$/],
  ])('are heard where they exit with %i', async (exit, err) => {
    const box = await edited();
    box.write('.git/hooks/pre-commit', `#!/bin/sh\necho checked\necho fine >&2\nexit ${exit}\n`);
    chmodSync(box.path('.git', 'hooks', 'pre-commit'), 0o755);
    expect((await vedit(box, ['land', '-m', 'Mine'], { env: ENV })).err).toMatch(err);
  });
});

/** The second edit is made on the text of the first. */
async function dependent(): Promise<{ box: Sandbox; first: string }> {
  const box = personRepo();
  await vedit(box, ['replace', 'a.txt', 'two', 'TWO', '--agent', 'fixer']);
  const first = box.git('rev-parse', '--short=7', 'vedit/main');
  await vedit(box, ['replace', 'a.txt', 'TWO', '2', '--agent', 'writer']);
  return { box, first };
}

describe('an edit that builds on another', () => {
  it('is told with it, one a line', async () => {
    const { box, first } = await dependent();
    const { code, err } = await vedit(box, ['land', '~0', '-m', 'x'], { env: ENV });
    expect(code).toBe(3);
    expect(err).toMatch(/^vedit: CONFLICT: Not all of this can land by itself:\n- a\.txt .*\n/);
    expect(err).toContain(`\n  ${first} str_replace a.txt (+1 -1) (fixer)\n`);
    expect((await veditJson(box, ['land', '~0'], { env: ENV })).data).toMatchObject({
      needs: [expect.stringContaining(first)],
    });
  });

  it.each([
    ['y\n', 0, '2'],
    ['\n', 3, 'two'],
  ])('lands with it where the person says so: %j', async (input, code, line) => {
    const { box } = await dependent();
    const done = await vedit(box, ['land', '~0', '-m', 'both'], { ...TTY, input });
    expect(done.err).toContain('Land that edit as well? [y/N] ');
    expect(done.code).toBe(code);
    expect(box.git('show', 'HEAD:a.txt').split('\n')[1]).toBe(line);
  });
});

describe.skipIf(!hasPython)('vedit land -p on a terminal', () => {
  const NO_EDIT = ['land', '-p', '-m', 'chosen'];

  /** By Ada. */
  function owned(box: Sandbox): Sandbox {
    box.git('config', 'user.name', 'Ada');
    box.git('config', 'user.email', 'ada@example.invalid');
    return box;
  }

  it('asks hunk by hunk, and leaves in the files what was not chosen', async () => {
    const box = owned(await edited());
    const { out, code } = onTerminal(box, NO_EDIT, [
      ['Land this hunk [y,n,q,a,d,k,K,j,J,P,N,g,/,e,?]? ', 'y'],
      ['? ', 'n'],
      ['? ', '?'],
      ['print help', 'y'],
    ]);
    expect(code).toBe(0);
    expect(out).toContain('a.txt\n  fixer\n@@ -1,3 +1,3 @@\n-one\n+ONE\n');
    expect(out).toContain('(new file)');
    expect(box.git('show', '--format=%s', '--name-only', 'HEAD')).toBe('chosen\n\na.txt\nsrc/b.txt');
    expect(box.git('status', '--short')).toBe('?? n.txt');
  });

  it('goes back and on, looks for a pattern, and quits with what was chosen so far', async () => {
    const box = owned(await edited());
    const { code } = onTerminal(box, NO_EDIT, [
      ['(1/3)', 'j'],
      ['(2/3)', 'k'],
      ['(1/3)', '/'],
      ['regex? ', 'x = 2\n'],
      ['(3/3)', 'y'],
      ['(1/3)', 'g'],
      ['which hunk? ', '2\n'],
      ['(2/3)', 'q'],
    ]);
    expect(code).toBe(0);
    expect(box.git('show', '--format=%s', '--name-only', 'HEAD')).toBe('chosen\n\nsrc/b.txt');
  });

  it('takes or leaves the rest of a file, splits what is beside each other, and may end with nothing', async () => {
    const box = owned(personRepo());
    box.write('c.txt', '1\n2\n3\n4\n5\n');
    box.git('add', '.');
    box.git('commit', '-qm', 'c');
    for (const [from, to] of [
      ['1', 'one'],
      ['2', 'two'],
      ['4', 'four'],
    ] as const)
      await vedit(box, ['replace', 'c.txt', from, to]);
    expect(onTerminal(box, NO_EDIT, [['(1/2)', 'd']])).toMatchObject({
      code: 1,
      out: expect.stringContaining('no hunk was chosen'),
    });
    const { code } = onTerminal(box, NO_EDIT, [
      ['(1/2) Land this hunk [y,n,q,a,d,k,K,j,J,g,/,s,e,?]? ', 's'],
      ['(1/3)', 'n'],
      ['(2/3)', 'a'],
    ]);
    expect(code).toBe(0);
    expect(box.git('show', 'HEAD:c.txt')).toBe('1\ntwo\n3\nfour\n5');
    expect((await vedit(box, ['land', '-p'])).code).toBe(2);
  });

  it('lands a hunk as the person edits it, and its other places with it', async () => {
    const box = owned(personRepo());
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE']);
    await vedit(box, ['replace', 'a.txt', 'two', 'TWO']);
    await vedit(box, ['replace', 'src/b.txt', 'x = 1', 'x = 2']);
    const { code } = onTerminal(
      box,
      NO_EDIT,
      [
        ['(1/2)', 'e'],
        ['(2/2)', 'n'],
      ],
      { GIT_EDITOR: 'sed -i s/^+ONE/+1/' },
    );
    expect(code).toBe(0);
    expect(box.git('show', 'HEAD:a.txt')).toBe('1\nTWO\nthree');
    expect(box.git('status', '--short')).toBe(' M src/b.txt');
  });
});
