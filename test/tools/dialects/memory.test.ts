/** The memory tool: nothing gets out of its folder, under no name of a field and by no link. */

import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { WorkspaceEvent } from '../../../src/engine/calls/events.ts';
import { runMemory } from '../../../src/tools/dialects/anthropic.ts';
import type { ToolResult } from '../../../src/tools/run.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

const FILES = {
  'a.txt': 'secret\n',
  'memories/m.md': 'm\n',
  'memories/f/x.md': 'x\n',
  'memories/g/y.md': 'y\n',
};

type Say = (input: object) => Promise<ToolResult>;

async function memories(prepare: (repo: Place) => void = () => {}): Promise<{ repo: Place; say: Say }> {
  const repo = personRepo(FILES);
  prepare(repo);
  const session = await repo.session();
  return { repo, say: input => runMemory(session, input) };
}

describe('the folder', () => {
  it.each([
    { command: 'view', filePath: 'a.txt' },
    { command: 'view', file: 'a.txt' },
    { command: 'create', file_path: 'b.txt', file_text: 'x' },
    { command: 'str_replace', file: 'a.txt', old_str: 'secret', new_str: 'x' },
    { command: 'insert', filePath: 'a.txt', insert_line: 0, insert_text: 'x' },
    { command: 'delete', file_path: 'a.txt' },
    { command: 'delete', filename: 'a.txt' },
    { command: 'rename', old_path: '/memories/m.md', to: 'b.txt' },
    { command: 'rename', old_path: '/memories/m.md', newPath: 'b.txt' },
    { command: 'rename', from: 'a.txt', new_path: '/memories/b.md' },
    { command: 'rename', oldPath: 'a.txt', new_path: '/memories/b.md' },
  ])('is not left by %j', async input => {
    const { repo, say } = await memories();
    expect(await say(input)).toMatchObject({ ok: false, code: 'OUTSIDE_WORKSPACE' });
    expect(repo.git('status', '--short')).toBe('');
  });

  it('takes the names of fields that the engine takes', async () => {
    const { repo, say } = await memories();
    expect(await say({ command: 'create', file_path: '/memories/c.md', content: 'c\n' })).toMatchObject({
      ok: true,
    });
    expect(await say({ command: 'rename', path: '/memories/c.md', to: '/memories/d.md' })).toMatchObject({
      ok: true,
    });
    expect(await say({ command: 'view', filePath: '/memories/d.md' })).toMatchObject({ ok: true });
    expect(repo.read('memories/d.md')).toBe('c\n');
  });

  it.each([
    { command: 'view', path: '/memories/up/a.txt' },
    { command: 'view', path: '/memories/up/none.txt' },
    { command: 'view', path: '/memories/up' },
    { command: 'create', path: '/memories/up/b.txt', file_text: 'x' },
    { command: 'str_replace', path: '/memories/up/a.txt', old_str: 'secret', new_str: 'x' },
    { command: 'delete', path: '/memories/up/a.txt' },
    { command: 'rename', old_path: '/memories/up/a.txt', new_path: '/memories/b.md' },
    { command: 'rename', old_path: '/memories/m.md', new_path: '/memories/up/b.txt' },
  ])('is not left by a link: %j', async input => {
    const { repo, say } = await memories(place => symlinkSync('..', place.path('memories/up')));
    const result = await say(input);
    expect(result).toMatchObject({ ok: false, code: 'OUTSIDE_WORKSPACE' });
    expect(result.message).toContain('by a link');
    expect(repo.git('status', '--short')).toBe('?? memories/up');
  });

  it('may be a link itself', async () => {
    const repo = personRepo({ 'kept/m.md': 'm\n' });
    symlinkSync('kept', repo.path('memories'));
    const session = await repo.session();
    expect(await runMemory(session, { command: 'view', path: '/memories/m.md' })).toMatchObject({ ok: true });
  });

  it.each([
    { command: 'delete', path: '/memories/f' },
    { command: 'rename', old_path: '/memories/f', new_path: '/memories/h' },
  ])('does not take a file along that a link in it leads to: %j', async input => {
    const { repo, say } = await memories(place => symlinkSync('../../a.txt', place.path('memories/f/l')));
    expect(await say(input)).toMatchObject({ ok: false, code: 'SPECIAL_FILE' });
    expect([repo.read('a.txt'), repo.read('memories/f/x.md')]).toEqual(['secret\n', 'x\n']);
  });
});

describe('rename', () => {
  it('says which fields it wants', async () => {
    const { say } = await memories();
    const { message } = await say({ command: 'rename' });
    expect(message).toMatch(/`old_path` is required.*"command":"rename","old_path":"\/memories\//);
  });

  it.each([
    ['/memories/m.md', '/memories/f', 'folder'],
    ['/memories/m.md', '/memories/', 'folder'],
    ['/memories/f', '/memories/g', 'folder'],
    ['/memories/f', '/memories/m.md', 'file'],
  ])('does not put %s on %s', async (old_path, new_path, kind) => {
    const { repo, say } = await memories();
    const result = await say({ command: 'rename', old_path, new_path, overwrite: true });
    expect(result).toMatchObject({ ok: false, code: 'FILE_EXISTS' });
    expect(result.message).toContain(
      `The destination ${new_path.replace(/\/$/, '')} already exists, and is a ${kind}`,
    );
    expect(repo.git('status', '--short')).toBe('');
  });
});

describe('a whole folder', () => {
  it('is only looked at by a dry run', async () => {
    const { repo, say } = await memories();
    const result = await say({ command: 'delete', path: '/memories/f', dry_run: true });
    expect(result).toMatchObject({ ok: true, data: { dry_run: true, commit: null } });
    expect(repo.read('memories/f/x.md')).toBe('x\n');
  });
});

it('tells of a refusal', async () => {
  const repo = personRepo(FILES);
  const events: WorkspaceEvent[] = [];
  const session = await repo.session('s1', { onEvent: event => events.push(event) });
  await runMemory(session, { command: 'view', path: 'a.txt' });
  expect(events).toMatchObject([{ kind: 'refusal', op: 'view', error: { code: 'OUTSIDE_WORKSPACE' } }]);
});
