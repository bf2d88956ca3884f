import { describe, expect, it } from 'vitest';
import { toolset } from '../../../src/index.ts';
import { tools } from '../../../src/tools/index.ts';
import { toolInstructions } from '../../../src/tools/toolset/toolset.ts';
import { personRepo } from '../../helpers/person-repo.ts';

type Listed = { properties: Record<string, { description?: string }> };

const fieldsOf = (options: Parameters<typeof toolset>[0], name: string): Listed['properties'] =>
  (toolset(options).find(tool => tool.tool === name)!.inputSchema as Listed).properties;

describe('a set of tools', () => {
  it('is brief: its own fields without words, and none that no model can know', () => {
    for (const tool of toolset({ tools: 'all' })) {
      const fields = (tool.inputSchema as Listed).properties;
      for (const hidden of ['call_id', 'base', 'on_stale', 'dry_run', 'edit_id'])
        if (!(tool.tool === 'diff' && hidden === 'base')) expect(fields).not.toHaveProperty(hidden);
      expect(JSON.stringify(fields)).not.toContain('"description":"');
      expect(tool.description.length).toBeLessThan(450);
    }
    expect(Object.keys(fieldsOf({}, 'str_replace'))).toEqual([
      'path',
      'old_str',
      'new_str',
      'replace_all',
      'version',
      'reason',
    ]);
  });

  it('has every field with its description where all of it is asked for, but the id of the call', () => {
    const fields = fieldsOf({ detail: 'full' }, 'str_replace');
    expect(fields).toMatchObject({ dry_run: { description: expect.stringMatching(/write nothing/) } });
    expect(fields).not.toHaveProperty('call_id');
    const [view] = toolset({ tools: ['view'], detail: 'full' });
    expect(view!.description).toBe(tools.find(tool => tool.name === 'view')!.description);
  });

  it('takes the fields that it does not list', async () => {
    const session = await personRepo({ 'a.txt': '1\n' }).session();
    const replace = toolset().find(tool => tool.name === 'str_replace')!;
    const input = { path: 'a.txt', old_str: '1', new_str: '2', dry_run: true };
    expect(await replace.run(session, input, 'call_7')).toMatchObject({ ok: true, data: { dry_run: true } });
    const done = await replace.run(session, { ...input, dry_run: false, edit_id: 'e' }, 'call_7');
    expect(done).toMatchObject({ ok: true });
    expect((await session.show('@')).data).toMatchObject({ call_id: 'call_7', edit_id: 'e' });
  });

  it('says of each tool in some ten words when to prefer it', () => {
    for (const tool of toolset({ tools: 'all' })) {
      const [, when] = /(Prefer it [^.]+\.)/.exec(tool.description) ?? [];
      expect([tool.name, when?.split(' ').length]).toEqual([tool.name, expect.any(Number)]);
      expect(when!.split(' ').length).toBeLessThan(14);
    }
  });

  it('keeps a description of the caller whole', () => {
    const long = `${'A sentence of some length that says what to do. '.repeat(6)}End.`;
    const [view] = toolset({ tools: ['view'], descriptions: { view: long } });
    expect(view!.description).toBe(long);
  });
});

describe('what tools have in common', () => {
  it('is said once, in the words of the set', () => {
    expect(toolInstructions()).toMatch(
      /^Every edit is one git commit.*\nView a file before you give line numbers/,
    );
    expect(toolInstructions({ prefix: 'doc_' })).toContain('\nUse doc_view on a file before');
    expect(toolInstructions({ tools: ['insert'] })).toContain('\nLines count from 1.\n');
  });

  it('is shorter where nothing can be edited', () => {
    expect(toolInstructions({ readOnly: true })).toBe(
      'Where a commit is asked for, give an id, @ (the newest) or ~N (N before it).',
    );
  });
});
