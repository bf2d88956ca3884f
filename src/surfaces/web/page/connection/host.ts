/**
 * The host that shows the page as an MCP App: JSON-RPC 2.0 over postMessage (ext-apps, specification 2026-01-26). Only what
 * the page needs: requests in both directions, and what the host tells of itself.
 */

/** The parts of the host's context that the page makes use of. */
export interface HostContext {
  theme?: string;
  displayMode?: string;
  availableDisplayModes?: readonly string[];
  containerDimensions?: { height?: number; maxHeight?: number };
}

/** An answer of a tool, as the host passes it on. */
export interface ToolAnswer {
  content?: ReadonlyArray<{ type: string; text?: string }>;
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Readonly<Record<string, unknown>>;
}

interface Message {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

export class Host {
  /** Milliseconds after which a host counts as gone: a landing waits for the person's hooks. */
  readonly #patience = 120_000;
  readonly #version = '2026-01-26';
  /** CSS pixels in which the list and a diff can be read. */
  readonly #height = 640;

  /** The host's context, as it is by now. */
  context: HostContext = {};
  onContext: (context: HostContext) => void = () => {};
  /** Called with the answer of the tool that the page was opened by. */
  onToolResult: (answer: ToolAnswer) => void = () => {};
  /** Called when the host is about to take the page away. */
  onEnd: () => void = () => {};
  /** Until the host has answered, nobody knows what its origin is. */
  #origin = '*';
  #next = 1;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();

  /** Begins to listen, and says hello. Rejects where no host answers. */
  async enter(): Promise<void> {
    addEventListener('message', event => this.#take(event));
    const { hostContext } = (await this.#request('ui/initialize', {
      protocolVersion: this.#version,
      appInfo: { name: 'vedit', title: 'vedit', version: '1' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    })) as { hostContext?: HostContext };
    this.#becomes(hostContext ?? {});
    this.#notify('ui/notifications/initialized', {});
    this.#ask();
  }

  /** Calls a tool of the server that the page is of. Rejects where the host refuses, or does not answer. */
  async callTool(name: string, input: object): Promise<ToolAnswer> {
    return (await this.#request('tools/call', { name, arguments: input })) as ToolAnswer;
  }

  /** Asks to fill the window, or not any more; the host may do nothing. */
  async toggleFullScreen(): Promise<void> {
    const mode = this.context.displayMode === 'fullscreen' ? 'inline' : 'fullscreen';
    const answer = (await this.#request('ui/request-display-mode', { mode })) as { mode?: string };
    this.#becomes({ displayMode: answer.mode ?? mode });
  }

  /** Asks for a height in which the page can be read, where the host leaves that to the page. */
  #ask(): void {
    const { height, maxHeight } = this.context.containerDimensions ?? {};
    if (height !== undefined) return;
    const wanted = Math.min(this.#height, maxHeight ?? this.#height);
    const { clientWidth } = document.documentElement;
    this.#notify('ui/notifications/size-changed', { width: clientWidth, height: wanted });
  }

  #becomes(context: HostContext): void {
    this.context = { ...this.context, ...context };
    this.onContext(this.context);
  }

  #request(method: string, params: object): Promise<unknown> {
    const id = this.#next++;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const late = (): void => this.#waiting.get(id)?.reject(new Error('The host does not answer.'));
    const timer = setTimeout(late, this.#patience);
    this.#send({ jsonrpc: '2.0', id, method, params });
    return answer.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(id);
    });
  }

  #notify(method: string, params: object): void {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  #send(message: Message): void {
    parent.postMessage(message, this.#origin);
  }

  /** Takes a message, from no window but the one that holds the page. */
  #take({ source, origin, data }: MessageEvent): void {
    const message = Object(data) as Message;
    if (source !== parent || message.jsonrpc !== '2.0') return;
    if (message.method !== undefined) this.#asked(message);
    else if (typeof message.id === 'number') this.#answered(message, origin);
  }

  #answered({ id, result, error }: Message, origin: string): void {
    const waiting = this.#waiting.get(id as number);
    if (!waiting) return;
    // One that is `null` cannot be named.
    if (origin !== 'null') this.#origin = origin;
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result ?? {});
  }

  #asked({ id, method, params }: Message): void {
    if (method === 'ui/notifications/tool-result') this.onToolResult(Object(params) as ToolAnswer);
    if (method === 'ui/notifications/host-context-changed') this.#becomes(Object(params) as HostContext);
    if (method === 'ui/resource-teardown') this.onEnd();
    if (id === undefined) return;
    const isKnown = method === 'ui/resource-teardown' || method === 'ping';
    const no = { code: -32601, message: 'Method not found' };
    this.#send({ jsonrpc: '2.0', id, ...(isKnown ? { result: {} } : { error: no }) });
  }
}
