/** 27 edit tasks, by exact texts, by patches and by tools of others that are installed here, and the table of the docs. */

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { initRepository, openWorkspace, runTool, type Session } from '../../src/index.ts';
import { TASKS, type Task, type Tool } from './edit-tasks.ts';
import { PEERS } from './peer-tools.ts';

type Outcome = 'right' | 'right (refused)' | 'refused' | 'WRONG silently' | 'WRONG, half done';

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

function folderOf(task: Task, name: string): string {
  const root = join(top, name);
  mkdirSync(root);
  for (const [path, content] of Object.entries(task.files)) writeFileSync(join(root, path), content);
  task.setup?.(root);
  return root;
}

async function outcome(tool: Tool, task: Task, root: string): Promise<Outcome> {
  const answers = [await task.run(tool, root)].flat();
  const [isDone, isKept] = [task.want ?? task.files, task.kept ?? task.files].map(files =>
    holds(root, files),
  );
  if (task.also?.(root) === false) return 'WRONG silently';
  if (answers.some(({ ok }) => !ok)) {
    if (!isKept) return 'WRONG, half done';
    return task.want === null ? 'right (refused)' : 'refused';
  }
  return task.want !== null && isDone ? 'right' : 'WRONG silently';
}

async function ours(tool: string, task: Task, number: number): Promise<Outcome> {
  const root = folderOf(task, `${tool}-${number}`);
  await initRepository({ root });
  await using workspace = await openWorkspace({ root });
  return await outcome(TOOLS[tool]!(workspace.session({ agent: 'tasks' })), task, root);
}

/** The table of the docs: by task, what each column says. */
function recorded(): Map<string, Map<string, string>> {
  const page = readFileSync(new URL('../../dev/from-other-tools.md', import.meta.url), 'utf8');
  const [head, , ...rows] = page
    .slice(page.indexOf('| task |'))
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line => line.slice(2, -2).split(' | '));
  return new Map(
    rows.map(([task, ...cells]) => [task!, new Map(cells.map((cell, n) => [head![n + 1]!, cell]))]),
  );
}

it('does or refuses 25 of the 27 as has to be, and none wrongly, as dev/from-other-tools.md says', async () => {
  const rows: string[][] = [];
  for (const [number, task] of TASKS.entries())
    rows.push([task.name, ...(await Promise.all(Object.keys(TOOLS).map(tool => ours(tool, task, number))))]);
  expect(rows).toHaveLength(27);
  for (const [column, tool] of [...Object.keys(TOOLS).entries()].map(([i, name]) => [i + 1, name] as const)) {
    const outcomes = rows.map(row => row[column]!);
    console.log(
      `${tool}: ${outcomes.filter(one => one.startsWith('right')).length} of 27 right, ${outcomes.filter(one => one === 'refused').length} refused, ${outcomes.filter(one => one.startsWith('WRONG')).length} wrong`,
    );
  }
  expect(rows.filter(row => row.some(one => one.startsWith('WRONG')))).toEqual([]);
  expect(rows.filter(row => row.includes('refused')).map(([name]) => name)).toEqual([
    'Latin-1 file',
    'NUL in file',
  ]);
  const page = readFileSync(new URL('../../dev/from-other-tools.md', import.meta.url), 'utf8');
  for (const row of rows) expect(page).toContain(`\n| ${row.join(' | ')} |`);
}, 60_000);

it.each(Object.entries(PEERS))('%s answers as the docs record it', async (name, open) => {
  const table = recorded();
  const [found, told]: [string[], string[]] = [[], []];
  for (const [number, task] of TASKS.entries()) {
    const root = folderOf(task, `${name.replace(/\W/g, '')}-${number}`);
    found.push(`${task.name}: ${await outcome(open(root), task, root)}`);
    told.push(`${task.name}: ${table.get(task.name)!.get(name)}`);
  }
  // How much of six edits at once is lost is a matter of moments.
  const plain = (text: string): string => text.replace(/^(6 edits .*WRONG).*/, '$1');
  expect(found.map(plain)).toEqual(told.map(plain));
});
