import { describe, expect, it } from 'vitest';
import { runTool, type ToolResult } from '../../src/index.ts';
import { personRepo } from './person-repo.ts';

async function refusedOf(name: string, input: object): Promise<Extract<ToolResult, { ok: false }>> {
  const repo = personRepo({ f: '1\n', 'd/e/g': '1\n' });
  repo.write('d/new/h', '1\n');
  const result = await runTool(await repo.session(), name, input);
  if (result.ok) throw new Error('it was done');
  return result;
}

/** The path, the folder to look in, and what is said of it. */
const CREATE = ', or use create to make it.';
const MISSING: ReadonlyArray<readonly [path: string, folder: string, advice: string]> = [
  ['x', '.', `View . to see which files there are${CREATE}`],
  ['nodir/sub/x', '.', `View . to see which files there are${CREATE}`],
  ['d/e/x', 'd/e', `View d/e to see which files there are${CREATE}`],
  ['d/e/a/b/x', 'd/e', `View d/e to see which files there are${CREATE}`],
  ['f/x', '.', 'f is a file, so nothing is below it. View . to see which files there are.'],
  ['d/e/g/a/x', 'd/e', 'd/e/g is a file, so nothing is below it. View d/e to see which files there are.'],
];

describe('a file that is not there', () => {
  it.each(MISSING)('%s is looked for in %s', async (path, folder, advice) => {
    const refusals = [
      await refusedOf('view', { path }),
      await refusedOf('delete', { path }),
      await refusedOf('str_replace', { path, old_str: '1', new_str: '2' }),
      await refusedOf('apply_patch', {
        patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`,
      }),
    ];
    for (const { code, message, data } of refusals) {
      expect({ code, data }).toMatchObject({ code: 'FILE_NOT_FOUND', data: { path, folder } });
      expect(message.endsWith(` ${path}. ${advice}`)).toBe(true);
    }
  });

  it('in one of several edits, and by a path from the root of the disk', async () => {
    const repo = personRepo({ f: '1\n' });
    const edits = [
      { edit: 'create', path: 'd/a', file_text: '1\n' },
      { edit: 'delete', path: `${repo.dir}/d/x` },
    ];
    const result = await runTool(await repo.session(), 'change', { edits });
    expect(result).toMatchObject({ ok: false, code: 'FILE_NOT_FOUND', data: { folder: '.', edit: 2 } });
    expect(result.message).toMatch(/^edit 2 of 2: There is no file at .*\/d\/x\. View \. to see/);
  });

  it('is looked for in the commit that it was asked of', async () => {
    const { message, data } = await refusedOf('view', { path: 'd/new/h', at: 'main' });
    expect(data).toMatchObject({ path: 'd/new/h', folder: 'd' });
    expect(message).toMatch(
      /^There is no file d\/new\/h in [0-9a-f]{12}\. View d with the same at to see which files there were\.$/,
    );
  });
});
