import { describe, expect, it } from 'vitest';
import type { EditError, EditStep } from '../../../../src/index.ts';
import { codeOf, type Place, personRepo } from '../../../helpers/person-repo.ts';

const FILES = { 'f.txt': '1\n2\n3\n', 'g.txt': 'x\n2\nshared\n' };
const word = (path = 'f.txt'): EditStep => ({ edit: 'str_replace', path, old_str: '2', new_str: 'two' });
const line = (more: object = {}): EditStep => ({
  edit: 'replace_lines',
  path: 'f.txt',
  start_line: 3,
  end_line: 3,
  new_content: 'three',
  ...more,
});

async function blob(repo: Place, path = 'f.txt'): Promise<string> {
  return repo.git('rev-parse', `HEAD:${path}`);
}

describe('a further edit of a file in one change', () => {
  it('needs to say, or to have been shown, what its line numbers mean', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    expect(await codeOf(session.change([word(), line()]))).toBe('NOT_VIEWED');
    const moved = { edit: 'move', path: 'f.txt', new_path: 'h.txt' } as const;
    expect(await codeOf(session.change([moved, line({ path: 'h.txt' })]))).toBe('NOT_VIEWED');
    await session.view({ path: 'f.txt' });
    expect(await codeOf(session.change([moved, line({ path: 'h.txt' })]))).toBeNull();
    expect(repo.read('h.txt')).toBe('1\n2\nthree\n');
  });

  it('is refused when the file is not what it says any more', async () => {
    const repo = personRepo(FILES);
    const version = await blob(repo);
    const session = await repo.session();
    await session.view({ path: 'f.txt' });
    repo.write('f.txt', '0\n1\n2\n3\n');
    for (const edits of [
      [word(), line({ version })],
      [word(), line()],
    ]) {
      await expect(session.change(edits)).rejects.toMatchObject({
        code: 'STALE',
        data: { edit: 2, edits: 2 },
      });
    }
    expect(await codeOf(session.change([word(), line({ base: 'nonsense' })]))).toBe('INVALID_INPUT');
    expect(repo.read('f.txt')).toBe('0\n1\n2\n3\n');
  });

  it('says nothing new when the one before it named the version, or made the file', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    await session.change([{ ...word(), version: await blob(repo) }, line()]);
    expect(repo.read('f.txt')).toBe('1\ntwo\nthree\n');
    const made = { edit: 'create', path: 'n.txt', file_text: 'a\nb\nc\n' } as const;
    await session.change([made, line({ path: 'n.txt' })]);
    expect(repo.read('n.txt')).toBe('a\nb\nthree\n');
  });

  it('is joined with the present text together with the first, when both know the same old one', async () => {
    const repo = personRepo({ 'f.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' });
    const version = await blob(repo);
    const session = await repo.session();
    repo.write('f.txt', '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n');
    const nine = { start_line: 9, end_line: 9, new_content: 'nine' };
    expect(await codeOf(session.change([word(), line({ ...nine, version, on_stale: 'rebase' })]))).toBe(
      'INVALID_INPUT',
    );
    await session.change([line(), line(nine)], { version, onStale: 'rebase' });
    expect(repo.read('f.txt')).toBe('0\n1\n2\nthree\n4\n5\n6\n7\n8\nnine\n');
  });

  it('does not inherit the mode of a file that the change took away', async () => {
    const repo = personRepo(FILES);
    repo.git('update-index', '--chmod=+x', 'f.txt');
    repo.git('commit', '-qm', 'executable');
    repo.git('checkout', '-q', '.');
    const session = await repo.session();
    const made = { edit: 'create', path: 'f.txt', file_text: 'new\n' } as const;
    await session.change([{ edit: 'move', path: 'f.txt', new_path: 'h.txt' }, made]);
    expect(repo.git('ls-tree', 'vedit/main', 'f.txt', 'h.txt').replace(/ blob \S+/g, '')).toBe(
      '100644\tf.txt\n100755\th.txt',
    );
  });
});

describe('what is said of the whole change', () => {
  it('is refused inside of one edit where it would be lost', async () => {
    const session = await personRepo(FILES).session();
    for (const field of [{ dry_run: true }, { edit_id: 'i' }]) {
      await expect(session.change([word('g.txt'), { ...word(), ...field }])).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^edit 2 of 2: \w+ is of the whole change/),
        data: { edit: 2, edits: 2 },
      });
    }
  });

  it('is the reasons of all edits', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    await session.change([
      { ...word(), reason: 'first' },
      { ...word('g.txt'), reason: 'second' },
    ]);
    expect(repo.git('log', '-1', '--format=%s', 'vedit/main')).toBe('first; second (2 files)');
  });

  it('is not the version of one of several files', async () => {
    const repo = personRepo(FILES);
    const version = await blob(repo);
    const session = await repo.session();
    await expect(session.change([word(), word('g.txt')], { version })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'version', paths: ['f.txt', 'g.txt'] },
    });
    await session.change([word(), line()], { version });
    expect(repo.read('f.txt')).toBe('1\ntwo\nthree\n');
  });

  it('names each edit in its field', async () => {
    const session = await personRepo(FILES).session();
    const refused = async (element: object): Promise<string> =>
      session.change([word(), element as EditStep]).then(
        () => '',
        (error: EditError) => error.message,
      );
    expect(await refused({ name: 'str_replace' })).toMatch(/^edit 2 of 2: The field edit must name the edit/);
    expect(await refused({ edit: 'str_replce' })).toMatch(/^edit 2 of 2: .*Did you mean str_replace\?/);
  });
});

describe('a version', () => {
  it('of another file is no old one of this', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    const other = { version: await blob(repo, 'g.txt'), on_stale: 'rebase' };
    await expect(session.change([line(other)])).rejects.toMatchObject({
      code: 'STALE',
      message: expect.stringMatching(/^f.txt is not at version \w{12}, and is not known to have been\./),
      data: { version: await blob(repo), diff: null, changed_by: [] },
    });
    expect(repo.read('f.txt')).toBe(FILES['f.txt']);
  });

  it('is not a commit', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    await expect(
      session.edit('delete', { path: 'f.txt', version: repo.git('rev-parse', 'HEAD') }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('give it as base') });
  });
});

describe('a base', () => {
  it('is not a version', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    for (const base of [await blob(repo), (await blob(repo)).slice(0, 8)])
      await expect(session.edit('delete', { path: 'f.txt', base })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('is a blob, not a commit: it is the version of a file'),
      });
  });
});

describe('lines of an old base that changed', () => {
  it('are told to be gone where they were deleted', async () => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    repo.write('f.txt', '1\n3\n');
    const input = { path: 'f.txt', old_str: '2', new_str: 'two', base: 'HEAD', on_stale: 'rebase' } as const;
    await expect(session.edit('str_replace', input)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('before line 2: the lines are gone'),
    });
  });

  it.each([
    ['changed', '1\n2\nthree\n'],
    ['came', '1\n2\nnew\n3\n'],
  ])('are a conflict even where a merge would fit: a line %s', async (_, text) => {
    const repo = personRepo(FILES);
    const session = await repo.session();
    repo.write('f.txt', text);
    const whole = {
      start_line: 1,
      end_line: 3,
      new_content: 'one\n2\n3\n',
      base: 'HEAD',
      on_stale: 'rebase',
    } as const;
    await expect(session.edit('replace_lines', { path: 'f.txt', ...whole })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('What changed:'),
    });
    expect(repo.read('f.txt')).toBe(text);
  });
});
