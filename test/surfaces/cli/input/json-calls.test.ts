import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../../../src/errors.ts';
import { readCalls, type ToolCall } from '../../../../src/surfaces/cli/commands/apply.ts';

async function* chunked(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, size = 7): Promise<Array<ToolCall | string>> {
  const calls: Array<ToolCall | string> = [];
  for await (const one of readCalls(chunked(text, size)))
    calls.push(one instanceof EditError ? one.code : one);
  return calls;
}

const CALL = { tool: 'view', input: { path: 'a' } };
const LINE = JSON.stringify(CALL);

describe('readCalls', () => {
  it.each<[string, string]>([
    ['a line', `${LINE}\n`],
    ['no line end at the end', LINE],
    ['CRLF', `${LINE}\r\n`],
    ['blank lines', `\n\n${LINE}\n\n`],
    ['a byte order mark', `\ufeff${LINE}\n`],
    ['pretty printed', JSON.stringify(CALL, null, 2)],
    ['pretty printed with tabs', JSON.stringify(CALL, null, '\t')],
    ['the words of models', JSON.stringify({ type: 'tool_use', name: 'view', arguments: { path: 'a' } })],
    ['arguments as a text', JSON.stringify({ name: 'view', arguments: '{"path": "a"}' })],
  ])('reads %s', async (_, text) => {
    expect(await read(text)).toEqual([CALL]);
  });

  it('takes an empty text for no arguments, as some models send it', async () => {
    expect(await read('{"name":"status","arguments":""}')).toEqual([{ tool: 'status', input: {} }]);
  });

  it('gives on a text that is no JSON as it is, for the refusal to show it', async () => {
    expect(await read('{"tool":"view","input":"a.txt"}')).toEqual([{ tool: 'view', input: 'a.txt' }]);
  });

  it('reads a long printed call in time that grows with its length', async () => {
    const edits = Array.from({ length: 20_000 }, (_, from) => ({ from, content: 'x' }));
    const call = { tool: 'edit_lines', input: { edits } };
    expect(await read(JSON.stringify(call, null, 2), 65_536)).toEqual([call]);
  });

  it('gives an id back, whatever it is, and lets input be absent', async () => {
    expect(await read('{"tool":"status","id":{"a":1}}')).toEqual([
      { tool: 'status', input: {}, id: { a: 1 } },
    ]);
  });

  it.each<[string, string]>([
    ['no JSON', 'view a.txt'],
    ['a call cut off', '{"tool":"view","input":{"path":"a"'],
    ['a list', `[${LINE}]`],
    ['a text', '"view"'],
    ['no tool', '{"input":{}}'],
    ['fields beside input', '{"tool":"view","path":"a"}'],
    ['a dry run in the wrong place', '{"tool":"create","input":{},"dry_run":true}'],
  ])('refuses %s, and goes on with the next line', async (_, text) => {
    expect(await read(`${text}\n${LINE}\n`)).toEqual(['INVALID_INPUT', CALL]);
  });

  it('refuses what is not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"tool":"\xff"}\n', 'latin1'), Buffer.from(LINE)]);
    expect(await read(bytes)).toEqual(['NOT_UTF8', CALL]);
  });

  it('refuses a printed call that never ends, and one that another begins in', async () => {
    expect(await read('{\n"tool": "view",\n')).toEqual(['INVALID_INPUT']);
    expect(await read(`{\n"tool": "view",\n${LINE}\n`)).toEqual(['INVALID_INPUT', CALL]);
  });

  it('ends a line at a line feed only', async () => {
    const call = { tool: 'create', input: { file_text: 'a\u2028b\u2029c\u0085d' } };
    expect(await read(`${JSON.stringify(call)}\n`)).toEqual([call]);
  });

  it('gives each call on before the next one comes', async () => {
    let sent = 0;
    async function* slowly(): AsyncGenerator<string> {
      for (sent = 1; sent <= 3; sent++) yield `${LINE}\n`;
    }
    const seen: number[] = [];
    for await (const _ of readCalls(slowly())) seen.push(sent);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('reads any inputs, printed any way, cut anywhere', async () => {
    const calls = fc.array(
      fc.record({ tool: fc.string(), input: fc.dictionary(fc.string(), fc.jsonValue()) }),
    );
    const indent = fc.constantFrom(undefined, 1, 4, '\t');
    await fc.assert(
      fc.asyncProperty(calls, indent, fc.integer({ min: 1, max: 20 }), async (list, space, size) => {
        const text = list.map(call => `${JSON.stringify(call, null, space)}\n`).join('');
        expect(await read(text, size)).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    );
  });
});
