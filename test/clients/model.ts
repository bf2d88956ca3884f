/**
 * A model on 127.0.0.1 that does what a script says, in the four protocols that clients speak: Anthropic Messages, OpenAI
 * Responses, OpenAI Chat and Gemini, each as a stream. Every request is kept: it is exactly what a model would have seen.
 */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One thing that the model does in a turn, or that happens before it answers. */
export type Act =
  | { say: string }
  /** A tool of the client by its own name; `vedit:view` is one of vedit's, however the client names it. */
  | { tool: string; input: object }
  /** A tool that takes plain text. */
  | { custom: string; text: string }
  /** OpenAI Responses: the client offers the tools of servers only to who searches for them. */
  | { search: string }
  | { meanwhile(): unknown };

export interface Request {
  url: string;
  // biome-ignore lint/suspicious/noExplicitAny: it has the form of one of four protocols
  body: any;
}

export interface Model {
  url: string;
  requests: readonly Request[];
  /** Gives it more to do. What a client asked besides, once the others were done, has been answered. */
  add(turns: ReadonlyArray<readonly Act[]>): void;
  close(): void;
}

interface Call {
  id: string;
  name?: string;
  namespace?: string | undefined;
  input?: object;
  text?: string;
}

/** Each request that offers tools gets the next turn; what is asked beside, such as a title, gets a word. */
export async function startModel(turns: ReadonlyArray<readonly Act[]>): Promise<Model> {
  const requests: Request[] = [];
  const left = [...turns];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = request.url ?? '';
    const body = parsed(Buffer.concat(chunks).toString());
    const answer = PROTOCOLS.find(([pattern]) => pattern.test(url))?.[1];
    if (request.method !== 'POST' || !answer)
      return json(response, { data: [], models: [], input_tokens: 1, totalTokens: 1 });
    requests.push({ url, body });
    const isWork = offered(body).length > 1;
    const acts = isWork ? (left.shift() ?? [{ say: 'done' }]) : [{ say: 'ok' }];
    const calls: Call[] = [];
    for (const [n, act] of acts.entries()) {
      if ('meanwhile' in act) await act.meanwhile();
      else calls.push(callOf(act, `call_${requests.length}_${n}`, offered(body)));
    }
    answer(response, body, calls, requests.length);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    add: more => void left.push(...more),
    close: () => server.close().closeAllConnections(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return {};
  }
}

interface Offered {
  name: string;
  namespace?: string;
}

/** The tools that a request offers, by their names. */
export function offered(body: Request['body']): Offered[] {
  const found = (Array.isArray(body.input) ? body.input : []).flatMap(
    (one: { type: string; tools: unknown[] }) => (one.type === 'tool_search_output' ? one.tools : []),
  );
  return [...(body.tools ?? []), ...found].flatMap((tool): Offered[] => {
    if (tool.functionDeclarations) return tool.functionDeclarations;
    if (tool.type === 'namespace')
      return tool.tools.map(({ name }: Offered) => ({ name, namespace: tool.name }));
    return [{ name: tool.name ?? tool.function?.name ?? tool.type }];
  });
}

function callOf(act: Exclude<Act, { meanwhile(): unknown }>, id: string, tools: readonly Offered[]): Call {
  if ('say' in act) return { id, text: act.say };
  if ('search' in act) return { id, name: SEARCH, input: { query: act.search, limit: 20 } };
  if ('custom' in act) return { id, name: act.custom, text: act.text };
  const [server, own] = act.tool.split(':');
  if (own === undefined) return { id, name: act.tool, input: act.input };
  const fits = ({ name, namespace = '' }: Offered): boolean =>
    name.endsWith(own) && `${namespace}${name}`.includes(server!);
  const [best] = tools.filter(fits).sort((a, b) => a.name.length - b.name.length);
  return { id, name: best?.name ?? `mcp__${server}__${own}`, namespace: best?.namespace, input: act.input };
}

const SEARCH = 'tool_search';

type Answer = (response: ServerResponse, body: Request['body'], calls: readonly Call[], n: number) => unknown;

const PROTOCOLS: ReadonlyArray<readonly [RegExp, Answer]> = [
  [/\/messages(\?|$)/, messages],
  [/\/responses(\?|$)/, responses],
  [/\/chat\/completions(\?|$)/, chat],
  [/:streamGenerateContent/, (response, _, calls) => stream(response, [gemini(calls)])],
  [/:generateContent/, (response, _, calls) => json(response, gemini(calls))],
];

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function stream(response: ServerResponse, events: ReadonlyArray<object | string>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const { type } = event as { type?: string };
    const data = typeof event === 'string' ? event : JSON.stringify(event);
    response.write(`${type ? `event: ${type}\n` : ''}data: ${data}\n\n`);
  }
  response.end();
}

function messages(
  response: ServerResponse,
  body: Request['body'],
  calls: readonly Call[],
  n: number,
): unknown {
  const content = calls.map(({ id, name, input, text }) =>
    name === undefined ? { type: 'text', text } : { type: 'tool_use', id: `toolu_${id}`, name, input },
  );
  const stop_reason = calls.some(({ name }) => name !== undefined) ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: `msg_${n}`, type: 'message', role: 'assistant', model: body.model, usage };
  if (!body.stream) return json(response, { ...message, content, stop_reason });
  stream(response, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...content.flatMap((one, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: 'text' in one ? { ...one, text: '' } : { ...one, input: {} },
      },
      {
        type: 'content_block_delta',
        index,
        delta:
          'text' in one
            ? { type: 'text_delta', text: one.text }
            : { type: 'input_json_delta', partial_json: JSON.stringify((one as Call).input) },
      },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage },
    { type: 'message_stop' },
  ]);
}

function responses(
  response: ServerResponse,
  body: Request['body'],
  calls: readonly Call[],
  n: number,
): unknown {
  const status = 'completed';
  const output = calls.map(({ id, name, namespace, input, text }) => {
    if (name === undefined)
      return {
        type: 'message',
        id,
        role: 'assistant',
        status,
        content: [{ type: 'output_text', text, annotations: [] }],
      };
    if (text !== undefined)
      return { type: 'custom_tool_call', id: `ctc_${id}`, call_id: id, name, input: text, status };
    if (name === SEARCH)
      return {
        type: 'tool_search_call',
        id: `ts_${id}`,
        call_id: id,
        execution: 'client',
        arguments: input,
        status,
      };
    const call = {
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
      status,
    };
    return namespace === undefined ? call : { ...call, namespace };
  });
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const whole = { id: `resp_${n}`, object: 'response', model: body.model, status, output, usage };
  if (!body.stream) return json(response, whole);
  stream(response, [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: whole },
  ]);
}

function chat(response: ServerResponse, body: Request['body'], calls: readonly Call[], n: number): unknown {
  const said = calls.flatMap(({ name, text }) => (name === undefined ? [text] : [])).join('\n');
  const tool_calls = calls
    .filter(({ name }) => name !== undefined)
    .map(({ id, name, input }, index) => ({
      index,
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
  const content = said || null;
  const called = tool_calls.length > 0 ? { tool_calls } : {};
  const finish_reason = tool_calls.length > 0 ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const base = { id: `chatcmpl-${n}`, created: 1, model: body.model };
  if (!body.stream)
    return json(response, {
      ...base,
      object: 'chat.completion',
      usage,
      choices: [{ index: 0, finish_reason, message: { role: 'assistant', content, ...called } }],
    });
  const chunk = (delta: object, reason: string | null): object => ({
    ...{ ...base, object: 'chat.completion.chunk' },
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  stream(response, [
    chunk({ role: 'assistant', content }, null),
    chunk(called, null),
    { ...chunk({}, finish_reason), usage },
    '[DONE]',
  ]);
}

function gemini(calls: readonly Call[]): object {
  const parts = calls.map(({ id, name, input, text }) =>
    name === undefined ? { text } : { functionCall: { id, name, args: input } },
  );
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}
