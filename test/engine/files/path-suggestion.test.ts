import { describe, expect, it } from 'vitest';
import { openWorkspace, runTool, type ToolResult } from '../../../src/index.ts';
import { personRepo } from '../../helpers/person-repo.ts';

type Refused = Extract<ToolResult, { ok: false }>;

const FILES = {
  'README.md': '1\n',
  'src/app.js': '1\n',
  'src/lib/index.js': '1\n',
  'test/lib/index.js': '1\n',
};

/** What is sent, and the one file that is meant. */
const MEANT: ReadonlyArray<readonly [path: string, suggestion: string]> = [
  ['src/App.js', 'src/app.js'],
  ['readme.md', 'README.md'],
  ['a/src/app.js', 'src/app.js'],
  ['app.js', 'src/app.js'],
  ['App.js', 'src/app.js'],
  ['source/code/app.js', 'src/app.js'],
  ['/repo/src/app.js', 'src/app.js'],
  ['/repo/SRC/App.js', 'src/app.js'],
  ['/src/app.js', 'src/app.js'],
  ['/app.js', 'src/app.js'],
  ['../shop/src/app.js', 'src/app.js'],
  ['C:\\work\\src\\app.js', 'src/app.js'],
  ['~/shop/src/app.js', 'src/app.js'],
];

it('a name that no call can give is not suggested', async () => {
  const repo = personRepo({ 'b\td.txt': '1\n' });
  const result = await runTool(await repo.session(), 'view', { path: 'b-d.txt' });
  expect(result.ok ? '' : result.message).not.toContain('Did you mean');
});

async function refused(name: string, input: object): Promise<Refused> {
  const result = await runTool(await personRepo(FILES).session(), name, input);
  if (result.ok) throw new Error(`it was done: ${result.message}`);
  return result;
}

describe('a path that names a file in another way', () => {
  it.each(MEANT)('%s is answered with %s, and not by making it', async (path, suggestion) => {
    for (const [name, input] of [
      ['view', { path }],
      ['str_replace', { path, old_str: '1', new_str: '2' }],
    ] as const) {
      const { message, data } = await refused(name, input);
      expect(data).toMatchObject({ suggestion });
      expect(message).toContain(` Did you mean ${suggestion}?`);
      expect(message).not.toMatch(/use create|workspace holds|View/);
    }
  });

  it('is answered with all files that it may mean', async () => {
    const { message, data } = await refused('view', { path: 'lib/index.js' });
    expect(data).toMatchObject({ suggestion: null });
    expect(message).toMatch(/Files that end so: src\/lib\/index\.js, test\/lib\/index\.js\. View \. to see/);
  });

  it('of the whole of which nothing is like any file is not answered with one', async () => {
    const { message, data } = await refused('view', { path: '/etc/passwd' });
    expect(data).not.toHaveProperty('suggestion');
    expect(message).toMatch(/give a path relative to the root of the workspace\.$/);
  });

  it('of a new file is answered with where it would be', async () => {
    const made = await refused('create', { path: '/repo/src/lib/new.js', file_text: '' });
    expect(made).toMatchObject({ code: 'OUTSIDE_WORKSPACE', data: { suggestion: 'src/lib/new.js' } });
    expect(made.message).toMatch(/Did you mean src\/lib\/new\.js\?$/);
  });

  it('is known by every tool that takes one', async () => {
    const path = '/repo/src/app.js';
    for (const [name, input] of [
      ['blame', { path }],
      ['log', { path }],
      ['diff', { path }],
      ['undo', { path }],
      ['delete', { path }],
      ['move', { path: 'README.md', new_path: path }],
      ['restore', { path, from: '@' }],
    ] as const)
      expect([name, await refused(name, input)]).toMatchObject([
        name,
        { data: { suggestion: 'src/app.js' } },
      ]);
  });
});

describe('a mount', () => {
  it('is a prefix of paths that models are prompted with', async () => {
    const { dir } = personRepo(FILES);
    const workspace = await openWorkspace({ root: dir, mount: '/repo' });
    const session = workspace.session();
    const path = '/repo/src/app.js';
    expect(await runTool(session, 'view', { path: '/repo' })).toMatchObject({
      message: expect.stringContaining('src/app.js\n'),
    });
    expect(await runTool(session, 'view', { path: '/repo/src/' })).toMatchObject({ ok: true });
    expect(await runTool(session, 'str_replace', { path, old_str: '1', new_str: '2' })).toMatchObject({
      ok: true,
      data: { paths: [{ path: 'src/app.js' }] },
    });
    expect(await runTool(session, 'log', { path })).toMatchObject({
      message: expect.stringContaining('str_replace src/app.js'),
    });
    expect(await runTool(session, 'diff', { path })).toMatchObject({
      data: { paths: [{ path: 'src/app.js' }] },
    });
    expect(await runTool(session, 'view', { path: `${dir}/src/app.js` })).toMatchObject({ ok: true });
    expect(await runTool(session, 'view', { path: '/repository/src/app.js' })).toMatchObject({
      code: 'OUTSIDE_WORKSPACE',
    });
    await workspace.close();
  });

  it('is an absolute path', async () => {
    const { dir } = personRepo(FILES);
    await expect(openWorkspace({ root: dir, mount: 'repo' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('an absolute path, such as /repo'),
    });
  });
});
