/** 27 edit tasks, by exact texts and by patches: each done or refused as it has to be, and the table of the docs. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { initRepository, openWorkspace, runTool, type Session } from '../../src/index.ts';
import { TASKS, type Task, type Tool } from './edit-tasks.ts';

type Outcome = 'right' | 'right (refused)' | 'refused' | 'WRONG';

/** `str_replace`, `create` and `change`. */
const exact = (session: Session): Tool => ({
  view: path => runTool(session, 'view', { path }),
  replace: (path, old_str, new_str) => runTool(session, 'str_replace', { path, old_str, new_str }),
  write: (path, file_text) => runTool(session, 'create', { path, file_text }),
  multi: edits =>
    runTool(session, 'change', {
      edits: edits.map(([path, old_str, new_str]) => ({ edit: 'str_replace', path, old_str, new_str })),
    }),
});

const section = ([path, old, fresh]: readonly [string, string, string]): string[] => [
  `*** Update File: ${path}`,
  '@@',
  ...(old === '' ? [] : old.split('\n')).map(line => `-${line}`),
  ...fresh.split('\n').map(line => `+${line}`),
];

/** `apply_patch` alone: the old text as removed lines, of which an empty text has none. */
const patches = (session: Session): Tool => {
  const apply = (...lines: string[]): ReturnType<typeof runTool> =>
    runTool(session, 'apply_patch', { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
  return {
    view: path => runTool(session, 'view', { path }),
    replace: (...edit) => apply(...section(edit)),
    write: (path, text) =>
      apply(
        `*** Add File: ${path}`,
        ...text
          .trimEnd()
          .split('\n')
          .map(line => `+${line}`),
      ),
    multi: edits => apply(...edits.flatMap(section)),
  };
};

const TOOLS: Readonly<Record<string, (session: Session) => Tool>> = {
  str_replace: exact,
  apply_patch: patches,
};

const top = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-tasks-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const holds = (root: string, files: Readonly<Record<string, string | Buffer>>): boolean =>
  Object.entries(files).every(([path, content]) =>
    readFileSync(join(root, path)).equals(Buffer.from(content)),
  );

async function outcome(tool: string, task: Task, number: number): Promise<Outcome> {
  const root = join(top, `${tool}-${number}`);
  mkdirSync(root);
  for (const [path, content] of Object.entries(task.files)) writeFileSync(join(root, path), content);
  task.setup?.(root);
  await initRepository({ root });
  const workspace = await openWorkspace({ root });
  const answers = [await task.run(TOOLS[tool]!(workspace.session({ agent: 'tasks' })), root)].flat();
  await workspace.close();
  const [isDone, isKept] = [task.want ?? task.files, task.kept ?? task.files].map(files =>
    holds(root, files),
  );
  if (task.also?.(root) === false) return 'WRONG';
  if (answers.some(({ ok }) => !ok)) {
    if (!isKept) return 'WRONG';
    return task.want === null ? 'right (refused)' : 'refused';
  }
  return task.want !== null && isDone ? 'right' : 'WRONG';
}

it('does or refuses 25 of the 27 as has to be, and none wrongly, as docs/from-other-tools.md says', async () => {
  const rows: string[][] = [];
  for (const [number, task] of TASKS.entries())
    rows.push([
      task.name,
      ...(await Promise.all(Object.keys(TOOLS).map(tool => outcome(tool, task, number)))),
    ]);
  expect(rows).toHaveLength(27);
  for (const [column, tool] of [...Object.keys(TOOLS).entries()].map(([i, name]) => [i + 1, name] as const)) {
    const outcomes = rows.map(row => row[column]!);
    console.log(
      `${tool}: ${outcomes.filter(one => one.startsWith('right')).length} of 27 right, ${outcomes.filter(one => one === 'refused').length} refused, ${outcomes.filter(one => one === 'WRONG').length} wrong`,
    );
  }
  expect(rows.filter(row => row.includes('WRONG'))).toEqual([]);
  expect(rows.filter(row => row.includes('refused')).map(([name]) => name)).toEqual([
    'Latin-1 file',
    'NUL in file',
  ]);
  const page = readFileSync(new URL('../../docs/from-other-tools.md', import.meta.url), 'utf8');
  for (const row of rows) expect(page).toContain(`\n| ${row.join(' | ')} |`);
}, 60_000);
