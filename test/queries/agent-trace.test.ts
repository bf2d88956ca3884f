import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentTraceOptions, Session, TraceRecord } from '../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { lots, randomWork } from '../helpers/random-work.ts';

/** Section 6.1 of https://agent-trace.dev, with no further fields. */
const contributor = z.strictObject({
  type: z.enum(['human', 'ai', 'mixed', 'unknown']),
  model_id: z.string().max(250).optional(),
});
const line = z.int().min(1);
const range = z.strictObject({ start_line: line, end_line: line, content_hash: z.string().optional() });
const conversation = z.strictObject({
  url: z.url().optional(),
  contributor: contributor.optional(),
  ranges: z.array(range),
});
const SCHEMA = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  id: z.uuid(),
  timestamp: z.iso.datetime(),
  vcs: z
    .strictObject({ type: z.enum(['git', 'jj', 'hg', 'svn']), revision: z.string().length(40) })
    .optional(),
  tool: z.strictObject({ name: z.string(), version: z.string() }).optional(),
  files: z.array(z.strictObject({ path: z.string(), conversations: z.array(conversation) })),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

async function traces(session: Session, options?: AgentTraceOptions): Promise<TraceRecord[]> {
  const found: TraceRecord[] = [];
  for await (const record of session.agentTrace(options)) {
    SCHEMA.parse(record);
    found.push(JSON.parse(JSON.stringify(record)));
  }
  return found;
}

/** Three agents and a person, on lines that are all different. */
async function worked(make: typeof personRepo): Promise<{ repo: Place; session: Session }> {
  const repo = make({ 'a.txt': Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join('') });
  const workspace = await repo.open();
  const claude = workspace.session({ agent: 'claude-code', model: 'claude-opus-4-5', id: 'c' });
  const gpt = workspace.session({ agent: 'codex', model: 'gpt-5', id: 'g' });
  const other = workspace.session({ agent: 'other', model: 'maker/model' });
  const replace = (session: Session, old_str: string, new_str: string): Promise<unknown> =>
    session.edit('str_replace', {
      path: 'a.txt',
      old_str,
      new_str,
      call_id: `call ${old_str.split('\n')[0]}`,
    });
  await replace(claude, 'line 3\n', 'three by claude\nand more by claude\n');
  await replace(gpt, 'line 7\nline 8\n', 'by gpt\n');
  await replace(other, 'line 0\n', '');
  repo.write('a.txt', repo.read('a.txt').replace('line 12\n', 'by hand\n'));
  await claude.change([
    { edit: 'str_replace', path: 'a.txt', old_str: 'line 15', new_str: 'fifteen by claude' },
    { edit: 'str_replace', path: 'a.txt', old_str: 'line 18', new_str: 'eighteen by claude' },
    { edit: 'create', path: 'dir/b.txt', file_text: 'b by claude\nb 2 by claude' },
  ]);
  await replace(gpt, 'line 19', 'undone by gpt');
  await gpt.undo();
  await workspace.session({ id: 'nameless' }).edit('create', { path: 'c.txt', file_text: 'c\n' });
  return { repo, session: claude };
}

describe.each([
  ['beside a branch', personRepo, 'vedit/main'],
  ['on a branch', ownRepo, 'main'],
])('Agent Trace of a trail %s', (_, make, trail) => {
  it('says of every line that git blames on an edit who wrote it', async () => {
    const { repo, session } = await worked(make);
    const byCommit = new Map((await traces(session)).map(record => [record.vcs.revision, record]));
    const seen = new Set<string>();
    for (const path of ['a.txt', 'dir/b.txt', 'c.txt']) {
      const blamed = repo.git('blame', '--line-porcelain', trail, '--', path);
      for (const [, commit, at, , text] of blamed.matchAll(/^([0-9a-f]{40}) (\d+) (\d+)[^\t]*\t(.*)$/gm)) {
        const record = byCommit.get(commit!);
        if (!record) continue;
        const [found] = record.files.find(file => file.path === path)!.conversations;
        const covers = found.ranges.some(one => one.start_line <= Number(at) && Number(at) <= one.end_line);
        expect([text, covers]).toEqual([text, true]);
        const words = `${found.contributor.type} ${found.contributor.model_id ?? ''}`;
        seen.add(words);
        if (text!.includes('claude')) expect(words).toBe('ai anthropic/claude-opus-4-5');
        else if (text!.includes('gpt')) expect(words).toBe('ai openai/gpt-5');
        else expect(words).toBe('unknown ');
      }
    }
    expect(seen.size).toBe(3);
  });
});

describe('Agent Trace', () => {
  it('has one record an edit, with what it has no field for beside it', async () => {
    const { session } = await worked(personRepo);
    const all = await traces(session, { tool: { name: 'vedit', version: '1.2.3' } });
    const kinds = all.map(({ metadata: { vedit }, files }) => {
      const { contributor: who } = files[0]!.conversations[0];
      return `${vedit.op} ${who.type} ${who.model_id ?? '-'}`;
    });
    expect(kinds).toEqual([
      'create unknown -',
      'undo unknown -',
      'str_replace ai openai/gpt-5',
      'change ai anthropic/claude-opus-4-5',
      'outside unknown -',
      'str_replace ai maker/model',
      'str_replace ai openai/gpt-5',
      'str_replace ai anthropic/claude-opus-4-5',
    ]);
    expect(all[2]).toMatchObject({
      tool: { name: 'vedit', version: '1.2.3' },
      metadata: {
        vedit: { session: 'g', agent: 'codex', call_id: 'call line 19', status: { now: 'taken back' } },
      },
    });
    expect(all[1]!.metadata.vedit.undoes).toEqual([all[2]!.vcs.revision]);
    expect(all.at(-1)!.metadata.vedit).toEqual({
      op: 'str_replace',
      agent: 'claude-code',
      session: 'c',
      call_id: 'call line 3',
    });
  });

  it('says of a way back whose lines it brought back', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\nfour\n' });
    const workspace = await repo.open();
    const claude = workspace.session({ id: 'c', agent: 'claude-code', model: 'claude-opus-4-5' });
    const gpt = workspace.session({ id: 'g', agent: 'codex', model: 'gpt-5' });
    const replace = (session: Session, old_str: string, new_str: string) =>
      session.edit('str_replace', { path: 'a.txt', old_str, new_str });
    const one = await replace(claude, 'one', '1');
    await replace(gpt, 'two', '2');
    await gpt.edit('create', { path: 'a.txt', file_text: 'all new\n', overwrite: true });
    await gpt.rollback('~1');
    const [record] = await traces(claude, { limit: 1 });
    expect(record!.files).toEqual([
      {
        path: 'a.txt',
        conversations: [
          {
            contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5' },
            ranges: [{ start_line: 1, end_line: 1 }],
          },
          { contributor: { type: 'ai', model_id: 'openai/gpt-5' }, ranges: [{ start_line: 2, end_line: 2 }] },
          { contributor: { type: 'unknown' }, ranges: [{ start_line: 3, end_line: 4 }] },
        ],
      },
    ]);
    expect(record!.metadata.vedit.sources).toMatchObject([
      {
        path: 'a.txt',
        start_line: 1,
        end_line: 1,
        commit: one.data.commit,
        agent: 'claude-code',
        session: 'c',
      },
      { start_line: 2, agent: 'codex' },
      { start_line: 3, end_line: 4, commit: repo.git('rev-parse', 'main'), agent: null, session: null },
    ]);
  });

  it('of any history says of every line who wrote it, as blame does', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'one\n' });
    await randomWork(repo, lots(11), 80);
    const session = await repo.session('s3');
    let compared = 0;
    for (const { vcs, files, metadata } of await traces(session)) {
      for (const { path, conversations } of files) {
        const ranges = conversations.flatMap(({ contributor, ranges: all }) =>
          all.map(one => ({ contributor, ...one })),
        );
        if (ranges.length === 0) continue;
        const { lines } = (await session.blame({ path, at: vcs.revision })).data;
        for (const { contributor, start_line, end_line } of ranges) {
          for (const { agent, op, commit, line } of lines.slice(start_line - 1, end_line)) {
            const isAgents =
              agent !== null && op !== 'outside' && !/^(undo|redo|revert|rollback|restore)$/.test(op!);
            const source = metadata.vedit.sources?.find(
              one => one.path === path && one.start_line <= line && line <= one.end_line,
            );
            expect([vcs.revision, line, contributor.type, source?.commit ?? vcs.revision]).toEqual([
              vcs.revision,
              line,
              isAgents ? 'ai' : 'unknown',
              commit,
            ]);
            compared++;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(10);
  });

  it('has the same id for the same commit, and another for another', async () => {
    const { session } = await worked(personRepo);
    const ids = async (): Promise<string[]> => (await traces(session)).map(record => record.id);
    const once = await ids();
    expect(await ids()).toEqual(once);
    expect(new Set(once).size).toBe(once.length);
  });

  it('leaves out commits of a person, and models whose names are too long', async () => {
    const repo = ownRepo({ 'a.txt': 'a\n' });
    const session = (await repo.open()).session({ agent: 'x', model: 'm'.repeat(251) });
    await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
    repo.git('commit', '-qm', 'by hand', '--allow-empty');
    const all = await traces(session);
    expect(all.map(record => record.files[0]!.conversations[0].contributor)).toEqual([{ type: 'ai' }]);
  });
});
