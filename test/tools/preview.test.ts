import { describe, expect, it } from 'vitest';
import { toolset } from '../../src/index.ts';
import { calls, keepsTheContract } from './calls.ts';

const REPLACED = { path: 'a.txt', old_str: '3', new_str: 'three' };

describe('preview', () => {
  it('keeps the contract', () => keepsTheContract('preview', true));

  it('shows the diff with what would go, and writes nothing', async () => {
    const { call, session } = await calls();
    const before = (await (await session()).status()).data;
    const { ok, message, data } = await call('preview', REPLACED);
    expect(ok).toBe(true);
    expect(message).toMatch(/^Dry run of str_replace, nothing written[\s\S]*\n-3\n\+three\n/);
    expect(data).toMatchObject({ commit: null, dry_run: true });
    expect((await (await session()).status()).data).toEqual(before);
  });

  it('takes edits as change does, and refuses as they do', async () => {
    const { call } = await calls();
    const edits = [
      { edit: 'str_replace', ...REPLACED },
      { op: 'create', path: 'new.txt', file_text: 'new\n' },
    ];
    expect((await call('preview', { edits })).message).toMatch(
      /\n-3\n\+three\n[\s\S]*new\.txt[\s\S]*\n\+new/,
    );
    expect(await call('preview', { ...REPLACED, old_str: 'nowhere' })).toMatchObject({ code: 'NO_MATCH' });
    expect(await call('preview', {})).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await call('preview', { ...REPLACED, edits })).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('is offered with the tools that only read, under the name that a host gives it', () => {
    const names = toolset({ readOnly: true, names: { preview: 'edit_preview' } }).map(tool => tool.name);
    expect(names).toEqual(['view', 'edit_preview', 'log']);
    expect(toolset({ readOnly: true, tools: ['view'] }).map(tool => tool.name)).toEqual(['view']);
  });
});
