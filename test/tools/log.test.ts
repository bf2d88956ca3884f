import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { personRepo } from '../helpers/person-repo.ts';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('log', () => {
  it('keeps the contract of tools', () => keepsTheContract('log', true));

  it('lists edits by path, kind and time', async () => {
    const { done, refused } = await calls();
    await done('str_replace', EDIT);
    await done('create', { path: 'c.txt', file_text: 'c' });
    const ops = async (input: unknown): Promise<unknown[]> =>
      ((await done('log', input)).entries as { op: string }[]).map(entry => entry.op);
    expect(await ops({})).toEqual(['create', 'str_replace']);
    expect(await ops({ path: 'a.txt' })).toEqual(['str_replace']);
    expect(await ops({ op: 'create', limit: 1 })).toEqual(['create']);
    expect(await refused('log', { session: 'other' })).toBe('INVALID_INPUT');
    expect(await refused('log', { path: 'zzz' })).toBe('FILE_NOT_FOUND');
    expect(await refused('log', { op: 'zzz' })).toBe('INVALID_INPUT');
    expect(await refused('log', { since: 'no time at all' })).toBe('INVALID_INPUT');
  });

  it('says what nothing fits, and that there may be more', async () => {
    const { session, done } = await calls();
    await done('str_replace', EDIT);
    const log = async (input: object): Promise<string> =>
      (await runTool(await session(), 'log', input)).message;
    expect(await log({ path: 'b.txt', agent: 'nobody' })).toBe(
      'No edit of the history fits: path b.txt, agent nobody. log without it lists all of them.',
    );
    expect(await log({ limit: 1 })).toMatch(/\n\[the newest 1; a larger limit shows more, if there are\]$/);
    expect(await log({ limit: 2 })).not.toContain('larger limit');
  });

  it('gives what came from outside to nobody’s session', async () => {
    const repo = personRepo({ 'a.txt': 'one\n' });
    repo.write('a.txt', 'two\n');
    const session = (await repo.open()).session({ id: 's1' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: '2' });
    const lines = (await session.log()).message.split('\n').map(line => line.slice(34));
    expect(lines).toEqual(['s1: str_replace a.txt (+1 -1)', 'outside: outside a.txt']);
  });
});
