/** The facts of other projects' tools, and the list of what is answered otherwise on purpose. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { runMemory, runTextEditor } from '../../src/tools/dialects/anthropic.ts';
import { runTool } from '../../src/tools/index.ts';
import type { ToolResult } from '../../src/tools/run.ts';
import { inMemory } from '../helpers/in-memory.ts';
import { applied, refusedEdit } from '../helpers/patch-files.ts';
import type { Call, Texts } from './upstream/case.ts';
import { GIT_ROWS, patchOf } from './upstream/git-apply/index.ts';
import { COUNTS, PLANNED, STORIES } from './upstream/index.ts';

it.each(PLANNED.map(one => [one.from, one.name, one] as const))('%s: %s', (_, __, one) => {
  const { edit, input, before, after, instead } = one;
  if (instead && instead.code !== 'done') {
    expect(refusedEdit(edit, input, before).code).toBe(instead.code);
    expect(after).not.toBeNull();
  } else if (instead) expect(applied(edit, input, before).files).not.toEqual(after);
  else if (after === null) expect(refusedEdit(edit, input, before).message.length).toBeGreaterThan(20);
  else expect(applied(edit, input, before).files).toEqual(after);
});

function run(session: Session, { tool, input }: Call): Promise<ToolResult> {
  if (tool === 'memory') return runMemory(session, input);
  return tool === 'editor' ? runTextEditor(session, input) : runTool(session, tool, input);
}

/** View lists two levels: a folder without entries of its own in it was not looked into. */
async function filesBelow(session: Session, folder: string): Promise<string[]> {
  const entries = (await session.view({ path: folder })).data.entries as string[];
  const names = entries.filter(entry => !entry.endsWith('/'));
  for (const entry of entries)
    if (entry.endsWith('/') && !entries.some(other => other !== entry && other.startsWith(entry)))
      names.push(...(await filesBelow(session, entry.slice(0, -1))));
  return names;
}

async function filesOf(session: Session): Promise<Texts> {
  const names = await filesBelow(session, '.');
  const texts = names.map(async path => [path, String((await session.read({ path })).data.text)] as const);
  return Object.fromEntries(await Promise.all(texts));
}

it.each(STORIES.map(one => [one.from, one.name, one] as const))('%s: %s', async (_, __, one) => {
  const { before, calls, after, says, instead } = one;
  const { workspace } = await inMemory();
  const somebody = workspace.session({ id: 'before' });
  for (const [path, file_text] of Object.entries(before)) await somebody.edit('create', { path, file_text });
  const session = workspace.session({ id: 's1' });
  for (const call of calls.slice(0, -1)) expect((await run(session, call)).ok).toBe(true);
  const last = await run(session, calls.at(-1)!);
  if (says) expect(last.message).toMatch(says);
  if (instead && instead.code !== 'done') expect(last).toMatchObject({ ok: false, code: instead.code });
  else expect(last.ok, last.message).toBe(after !== null || instead !== undefined);
  if (!last.ok) return;
  if (instead) expect(await filesOf(session)).not.toEqual(after);
  else expect(await filesOf(session)).toEqual(after);
});

/** The texts that git makes of these, `null` where it refuses. */
function byGit(lines: readonly string[], before: Texts): Texts | null {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-upstream-'));
  try {
    for (const [path, text] of Object.entries(before)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir(), GIT_CONFIG_GLOBAL: '/dev/null' };
    execFileSync('git', ['apply', '-'], {
      cwd: folder,
      env,
      input: patchOf(lines),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter(entry => !entry.isDirectory())
      .map(entry => join(entry.parentPath, entry.name));
    return Object.fromEntries(files.map(file => [relative(folder, file), readFileSync(file, 'utf8')]));
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('says of git what the git of this machine does', () => {
  const told = GIT_ROWS.map(([script, name, , , after]) => [script, name, after]);
  expect(GIT_ROWS.map(([script, name, lines, before]) => [script, name, byGit(lines, before)])).toEqual(told);
});

it('is some hundreds of facts, and differs on purpose only, with the reason', () => {
  const all = [...PLANNED, ...STORIES];
  expect(new Set(all.map(one => `${one.from} ${one.name} ${JSON.stringify(one)}`)).size).toBe(all.length);
  const different = all.filter(one => one.instead);
  expect(different.every(({ instead }) => instead!.why.length > 15)).toBe(true);
  // As dev/from-other-tools.md says.
  expect(Math.round(all.length / 10) * 10).toBe(490);
  expect(different.length / all.length).toBeLessThan(0.35);
  const total = COUNTS.at(-1)!;
  console.log(`${total.facts} facts: ${total.agree} agree, ${total.differ} differ on purpose`);
});
