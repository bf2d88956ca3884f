import { describe, expect, it } from 'vitest';
import { callResult, OUTPUT_SCHEMA } from '../../../src/surfaces/mcp/answer.ts';
import type { ToolResult } from '../../../src/tools/run.ts';

const DONE: ToolResult = {
  ok: true,
  message: 'create done, commit 123:\ncreated a (+2 -0)',
  data: { commit: '123', paths: [{ path: 'a', version: '456' }], diff: '+a\n+b\n', text: 'x'.repeat(300) },
};
const REFUSED: ToolResult = {
  ok: false,
  code: 'STALE',
  message: 'a changed since.',
  data: { path: 'a', diff: '+b\n' },
  retryable: true,
} as ToolResult;

describe('a result over MCP', () => {
  it('is its text alone', () => {
    expect(callResult(DONE, false)).toEqual({ content: [{ type: 'text', text: DONE.message }] });
    expect(callResult(REFUSED, false)).toEqual({
      content: [{ type: 'text', text: 'STALE (retryable): a changed since.' }],
      isError: true,
    });
  });

  it('has the same text in its structure, without diffs and long texts', () => {
    expect(callResult(DONE, true).structuredContent).toEqual({
      ok: true,
      text: DONE.message,
      data: {
        commit: '123',
        paths: [{ path: 'a', version: '456' }],
        cut_fields: [
          { field: 'diff', length: 6, kept: 0 },
          { field: 'text', length: 300, kept: 0 },
        ],
      },
    });
    expect(callResult(REFUSED, true)).toMatchObject({
      content: [{ text: 'STALE (retryable): a changed since.' }],
      structuredContent: {
        ok: false,
        text: 'STALE (retryable): a changed since.',
        code: 'STALE',
        retryable: true,
        data: { path: 'a' },
      },
    });
  });

  it('has no field that its schema does not have', () => {
    const fields = Object.keys(OUTPUT_SCHEMA.properties as object);
    for (const result of [DONE, REFUSED]) {
      const given = Object.keys(callResult(result, true).structuredContent!);
      expect(fields).toEqual(expect.arrayContaining(given));
      expect(given).toEqual(expect.arrayContaining(OUTPUT_SCHEMA.required as string[]));
    }
  });
});
