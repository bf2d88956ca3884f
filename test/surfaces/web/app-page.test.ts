/** The page as an MCP App for a server of one's own: createAppPage. */

import { describe, expect, it } from 'vitest';
import { createAppPage } from '../../../src/surfaces/web/app-page.ts';
import { personRepo } from '../../helpers/person-repo.ts';

const ADA = { name: 'Ada', email: 'ada@example.com' };

describe('createAppPage', () => {
  it('answers what the page asks, in the name of the person, and holds its own policy', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    const workspace = await repo.open({ user: ADA });
    const page = createAppPage({ open: async () => ({ workspace, person: ADA }) });
    expect(await page.html()).toMatch(/http-equiv="Content-Security-Policy"[\s\S]*data-kind="app"/);
    await workspace
      .session({ agent: 'fixer' })
      .edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: '2' });
    const { hunks } = (await page.answer('open', {})) as { hunks: Array<{ path: string }> };
    expect(hunks.map(({ path }) => path)).toEqual(['a.txt']);
    expect(await page.answer('accept', { hunks })).toMatchObject({ ok: true });
    expect((await workspace.review()).data.hunks).toEqual([]);
    expect(await page.answer('take_back', {})).toMatchObject({ ok: true });
    expect((await workspace.review()).data.hunks).toHaveLength(1);
    expect(await page.answer('nothing', {})).toMatchObject({ ok: false, code: 'INVALID_INPUT' });
    await workspace.close();
  });

  it('tells refused edits too, once, and opens again after it failed', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    const workspace = await repo.open({ user: ADA, recordRefusals: true });
    let fails = true;
    const page = createAppPage({
      open: async () => {
        if (fails) throw new Error('not yet');
        return { workspace, person: ADA };
      },
    });
    expect(await page.answer('open', {})).toMatchObject({ ok: false });
    fails = false;
    const { cursor } = (await page.answer('events', {})) as { cursor: string };
    const session = workspace.session({ agent: 'fixer' });
    const heard = async (): Promise<string[]> => {
      const { events } = (await page.answer('events', { since: cursor })) as {
        events: Array<{ kind: string; code: string }>;
      };
      return events.filter(({ kind }) => kind === 'refusal').map(({ code }) => code);
    };
    await expect
      .poll(
        async () => {
          await session
            .edit('str_replace', { path: 'a.txt', old_str: 'three', new_str: '3' })
            .catch(() => {});
          return heard();
        },
        { timeout: 15_000, interval: 700 },
      )
      .toContain('NO_MATCH');
    await workspace.close();
  });

  it('edits a hunk as the person wants it, and takes that back whole', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n' });
    const workspace = await repo.open({ user: ADA });
    const page = createAppPage({ open: async () => ({ workspace, person: ADA }) });
    await workspace
      .session({ agent: 'fixer' })
      .edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: '2' });
    const { hunks } = (await page.answer('open', {})) as { hunks: object[] };
    expect(await page.answer('edit', { hunk: hunks[0], text: 'zwei' })).toMatchObject({ ok: true });
    expect(repo.read('a.txt')).toBe('one\nzwei\nthree\n');
    expect((await workspace.review()).data.hunks).toEqual([]);
    expect(await page.answer('take_back', {})).toMatchObject({ ok: true });
    expect(repo.read('a.txt')).toBe('one\n2\nthree\n');
    expect((await workspace.review()).data.hunks).toHaveLength(1);
    await workspace.close();
  });
});
