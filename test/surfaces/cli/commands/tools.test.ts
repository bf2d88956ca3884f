/** vedit tools: for agents that no adapter is for. */

import { describe, expect, it } from 'vitest';
import { tools } from '../../../../src/tools/index.ts';
import { repository } from '../../../helpers/real-git.ts';
import { vedit, veditJson } from '../../../helpers/vedit.ts';

describe('vedit tools', () => {
  it('lists every tool with its JSON Schema', async () => {
    const { data } = await veditJson<{ tools: Array<Record<string, unknown>> }>(repository(), ['tools']);
    expect(data.tools.map(tool => tool.name)).toEqual(tools.map(tool => tool.name));
    for (const tool of data.tools) {
      expect(Object.keys(tool)).toEqual([
        'name',
        'tool',
        'title',
        'description',
        'readOnly',
        'inputSchema',
        'example',
      ]);
      expect(tool.inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
    }
  });

  it('has sets, prefixes, and words for people', async () => {
    const box = repository();
    const { data } = await veditJson<{ tools: object[] }>(box, [
      'tools',
      'standard',
      '--read-only',
      '--prefix',
      'fs_',
    ]);
    expect(data.tools).toMatchObject([{ name: 'fs_view' }, { name: 'fs_preview' }, { name: 'fs_log' }]);
    expect((await vedit(box, ['tools', 'minimal'])).out).toMatch(/^view \(reads\)\n {4}Show a file/);
    expect((await vedit(box, ['tools', 'bogus'])).code).toBe(1);
  });
});
