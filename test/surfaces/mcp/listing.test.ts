/** The list of tools: what it costs in every turn of a model, and what it says. */

import { describe, expect, it } from 'vitest';
import { commonFields } from '../../../src/engine/change/edit-input.ts';
import { listing } from '../../../src/surfaces/mcp/server.ts';
import { toolInstructions, toolset } from '../../../src/tools/toolset/toolset.ts';
import type { ToolSetName } from '../../../src/tools/toolset/words.ts';

/** As it goes over the wire. */
function listed(tools: ToolSetName): Array<Record<string, unknown>> {
  return toolset({ tools }).map(tool => {
    const { inputSchema, ...rest } = listing(tool);
    return { name: tool.name, ...rest, inputSchema: inputSchema['~standard'].jsonSchema.input() };
  });
}

/** About four characters of JSON are a token. */
const tokens = (list: unknown): number => JSON.stringify(list).length / 4;

describe('the list', () => {
  it.each([
    ['minimal', 740],
    ['standard', 1_650],
    ['all', 3_700],
  ] as const)('%s costs less than %i tokens', (set, most) => {
    expect(tokens(listed(set))).toBeLessThan(most);
  });

  it.each(listed('all').map(tool => [tool.name, tool] as const))(
    '%s has all that a client wants',
    (_, tool) => {
      expect(tool).toMatchObject({
        title: expect.stringMatching(/\S/),
        description: expect.stringMatching(/^[A-Z].*[.:]/),
        annotations: {
          readOnlyHint: expect.any(Boolean),
          destructiveHint: expect.any(Boolean),
          idempotentHint: expect.any(Boolean),
          openWorldHint: false,
        },
      });
      const schema = tool.inputSchema as Record<string, unknown>;
      expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['anyOf']));
      expect(JSON.stringify(schema)).not.toMatch(/oneOf|allOf|"null"/);
    },
  );

  it('leaves out what the instructions say once', () => {
    const [, replace] = listed('minimal');
    const fields = Object.keys((replace!.inputSchema as { properties: object }).properties);
    const silent = Object.keys(commonFields).filter(field => !fields.includes(field));
    expect(silent).toContain('dry_run');
    const said = Object.keys(commonFields).filter(field => field !== 'call_id');
    for (const field of said) expect(toolInstructions()).toContain(field);
    expect(toolInstructions()).not.toContain('call_id');
  });

  it('tells what writes from what reads', () => {
    const hints = Object.fromEntries(listed('all').map(tool => [tool.name, tool.annotations]));
    expect(hints).toMatchObject({
      view: { readOnlyHint: true, idempotentHint: true },
      str_replace: { readOnlyHint: false, destructiveHint: false },
      delete: { readOnlyHint: false, destructiveHint: true },
    });
  });
});
