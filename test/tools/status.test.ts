import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('status', () => {
  it('keeps the contract of tools', () => keepsTheContract('status', true));

  it('says where the trail is and what others changed', async () => {
    const { done, write } = await calls();
    expect(await done('status', {})).toMatchObject({ trail: 'refs/vedit/main', head: null, outside: [] });
    const { commit } = await done('str_replace', EDIT);
    write('a.txt', 'by hand\n');
    expect(await done('status', {})).toMatchObject({
      head: commit,
      outside: [{ path: 'a.txt', kind: 'modified' }],
      interrupted: false,
    });
  });
});
