import { describe, expect, it } from 'vitest';
import { runTool, type ToolResult } from '../../../src/index.ts';
import { personRepo } from '../../helpers/person-repo.ts';

async function refusedOf(name: string, input: object): Promise<Extract<ToolResult, { ok: false }>> {
  const repo = personRepo({ f: '1\n', 'd/e/g': '1\n' });
  repo.write('d/new/h', '1\n');
  const result = await runTool(await repo.session(), name, input);
  if (result.ok) throw new Error('it was done');
  return result;
}

/** The path, the folder to look in, and what is said of it. */
const CREATE = ', or use create to make it.';
const ROOT = 'The workspace holds d/, f. View . to see which files there are';
const BELOW = 'd/e holds g. View d/e to see which files there are';
const MISSING: ReadonlyArray<readonly [path: string, folder: string, advice: string]> = [
  ['x', '.', `${ROOT}${CREATE}`],
  ['nodir/sub/x', '.', `${ROOT}${CREATE}`],
  ['d/e/x', 'd/e', `${BELOW}${CREATE}`],
  ['d/e/a/b/x', 'd/e', `${BELOW}${CREATE}`],
  ['f/x', '.', `f is a file, so nothing is below it. ${ROOT}.`],
  ['d/e/g/a/x', 'd/e', `d/e/g is a file, so nothing is below it. ${BELOW}.`],
];

describe('a file that is not there', () => {
  it.each(MISSING)('%s is looked for in %s', async (path, folder, advice) => {
    const refusals = [
      await refusedOf('view', { path }),
      await refusedOf('str_replace', { path, old_str: '1', new_str: '2' }),
      await refusedOf('apply_patch', {
        patch: `*** Begin Patch\n*** Update File: ${path}\n-1\n+2\n*** End Patch`,
      }),
    ];
    for (const { code, message, data } of refusals) {
      expect({ code, data }).toMatchObject({ code: 'FILE_NOT_FOUND', data: { path, folder } });
      expect(message.endsWith(` ${path}. ${advice}`)).toBe(true);
    }
  });

  it.each(['x', 'd/e/x', 'd/e/g/a/x'])(
    '%s is none to delete or to move, and nobody is told to make it',
    async path => {
      const patch = (...lines: string[]): object => ({
        patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
      });
      const refusals = [
        ['delete', await refusedOf('delete', { path })],
        ['delete', await refusedOf('apply_patch', patch(`*** Delete File: ${path}`))],
        ['move', await refusedOf('move', { path, new_path: 'y' })],
        ['move', await refusedOf('apply_patch', patch(`*** Update File: ${path}`, '*** Move to: y'))],
      ] as const;
      const [, , advice] = MISSING.find(([one]) => one === path)!;
      for (const [verb, { message }] of refusals) {
        expect(message).toBe(
          `There is no file at ${path}, so nothing to ${verb}. ${advice.replace(/ View .*/, '')}`,
        );
      }
    },
  );

  it('in one of several edits, and by a path from the root of the disk', async () => {
    const repo = personRepo({ f: '1\n' });
    const edits = [
      { edit: 'create', path: 'd/a', file_text: '1\n' },
      { edit: 'delete', path: `${repo.dir}/d/x` },
    ];
    const result = await runTool(await repo.session(), 'change', { edits });
    expect(result).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND', data: { folder: '.', edit: 2 } });
    expect(result.message).toMatch(
      /^edit 2 of 2: There is no file at .*\/d\/x, so nothing to delete\. The workspace holds f\.$/,
    );
  });

  it('is looked for in the commit that it was asked of', async () => {
    const { message, data } = await refusedOf('view', { path: 'd/new/h', at: 'main' });
    expect(data).toMatchObject({ path: 'd/new/h', folder: 'd' });
    expect(message).toMatch(
      /^There is no file d\/new\/h in [0-9a-f]{12}\. d holds e\/\. View d with the same at to see which files there were\.$/,
    );
  });
});

/** A name that is nearly right, and the file that it was most likely meant for. */
const MEANT: ReadonlyArray<readonly [path: string, suggestion: string | null]> = [
  ['src/ap.ts', 'src/app.ts'],
  ['srcs/app.ts', 'src/app.ts'],
  ['SRC/App.ts', 'src/app.ts'],
  ['sources/app.ts', 'src/app.ts'],
  ['src/util.ts', null],
  ['src/b.ts', null],
  ['cafe.txt', 'café.txt'],
];

describe('a path that is nearly right', () => {
  it.each(MEANT)('%s is answered with %s', async (path, suggestion) => {
    const repo = personRepo({ 'src/app.ts': '1\n', 'src/main.ts': '1\n', 'café.txt': '1\n' });
    const calls = [
      ['str_replace', { path, old_str: '1', new_str: '2' }],
      ['view', { path }],
      ['view', { path, at: 'main' }],
    ] as const;
    for (const [name, input] of calls) {
      const result = await runTool(await repo.session(), name, input);
      expect(result).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND', data: { suggestion } });
      if (suggestion) expect(result.message).toContain(`Did you mean ${suggestion}?`);
      else expect(result.message).not.toContain('Did you mean');
    }
  });

  it('is not answered with the name of a file that git ignores', async () => {
    const repo = personRepo({ '.gitignore': 'secret*\n' });
    repo.write('secrets.txt', '1\n');
    const { message } = await runTool(await repo.session(), 'view', { path: 'secret.txt' });
    expect(message).not.toContain('secrets');
  });

  it('is not looked for in a folder of very many names', async () => {
    const names = Array.from({ length: 501 }, (_, n) => `file-${n}.txt`);
    const repo = personRepo({ 'a.txt': '1\n' });
    for (const name of names) repo.write(`d/${name}`, '1\n');
    const { message } = await runTool(await repo.session(), 'view', { path: 'd/file-99.text' });
    expect(message).toBe(
      'There is no file d/file-99.text. View d to see which files there are, or use create to make it.',
    );
  });

  it('is answered with some of the names where there are many', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `file-${n}.txt`);
    const repo = personRepo(Object.fromEntries(names.map(name => [name, '1\n'])));
    const { message } = await runTool(await repo.session(), 'view', { path: 'other' });
    expect(message).toMatch(/The workspace holds (file-\d+\.txt, ){19}file-\d+\.txt and 10 more\. View \./);
  });
});

it('a file that a commit does not have is told with the newest one that has it', async () => {
  const repo = personRepo({ 'a.txt': '1\n' });
  const session = await repo.session();
  await session.edit('create', { path: 'b.txt', file_text: '1\n' });
  await session.edit('delete', { path: 'b.txt' });
  const refused = await runTool(session, 'restore', { path: 'b.txt', from: '@' });
  const [, commit = ''] = /newest commit that has it is ([0-9a-f]{12})\./.exec(refused.message) ?? [];
  expect(await runTool(session, 'restore', { path: 'b.txt', from: commit })).toMatchObject({ ok: true });
  expect(await runTool(session, 'restore', { path: 'c.txt', from: '@' })).toMatchObject({
    code: 'FILE_NOT_FOUND',
    message: expect.stringMatching(/has no file c\.txt\. The workspace holds a\.txt, b\.txt\. log lists/),
  });
  expect(await runTool(session, 'blame', { path: 'aa.txt' })).toMatchObject({
    code: 'FILE_NOT_FOUND',
    message: expect.stringMatching(/^History has no file aa\.txt in [0-9a-f]{12}\. Did you mean a\.txt\?$/),
  });
});

it('a folder in the place of a file is answered with what it holds', async () => {
  const repo = personRepo({ 'src/app.ts': '1\n', 'src/lib/x': '1\n' });
  const input = { path: 'src', old_str: '1', new_str: '2' };
  expect(await runTool(await repo.session(), 'str_replace', input)).toMatchObject({
    code: 'IS_DIRECTORY',
    message: 'src is a folder. Name a file in it. src holds app.ts, lib/.',
  });
});

it('a listing shows names as a call has to give them', async () => {
  const repo = personRepo({ 'café "1".txt': '1\n' });
  const { message } = await runTool(await repo.session(), 'view', { path: '.' });
  expect(message).toMatch(/^café "1"\.txt\n/);
  const [name = ''] = message.split('\n');
  expect(await runTool(await repo.session(), 'view', { path: name })).toMatchObject({ ok: true });
});

it('a file that is there, but not for this edit, is not suggested in its own place', async () => {
  const patch = '*** Begin Patch\n*** Update File: f\n*** Move to: g\n*** Delete File: f\n*** End Patch';
  const { message } = await refusedOf('apply_patch', { patch });
  expect(message).toContain(
    'There is no file at f, so nothing to delete. It is there now, but not in what this edit builds on',
  );
});

it.each([
  ['a:b', 'drive', undefined],
  ['file:///home/ada/d/e/g', 'url', 'd/e/g'],
  ['https://example.com/x', 'url', undefined],
])('%s is refused as what it is, and nothing is suggested that is refused too', async (path, rule, meant) => {
  const { code, data } = await refusedOf('create', { path, file_text: 'x' });
  expect(code).toBe('OUTSIDE_WORKSPACE');
  expect(data).toEqual({ path, rule, ...(meant ? { suggestion: meant } : {}) });
});
