/** The server that the live page asks. The token is kept for this tab alone, and goes with every request in a header. */

import type { TrailEvent } from '../../../workspace/events/trail-event.ts';

/** What the server answers: of a refusal, `ok` is false. */
export interface Answered {
  ok: boolean;
  message: string;
  code?: string;
  data?: unknown;
  [key: string]: unknown;
}

export class Net {
  readonly #key = 'vedit-bearer';
  #bearer: string | null = null;

  /** Gives the ticket of the address in for a token, and takes it out of the address. False where there is neither. */
  async enter(): Promise<boolean> {
    const [, ticket] = /^#ticket=([\w-]+)$/.exec(location.hash) ?? [];
    this.#bearer = sessionStorage.getItem(this.#key);
    if (ticket === undefined) return this.#bearer !== null;
    history.replaceState(null, '', location.pathname);
    const { ok, bearer } = await this.#json('POST', '/api/enter', { ticket });
    if (!ok) return this.#bearer !== null;
    this.#bearer = String(bearer);
    sessionStorage.setItem(this.#key, this.#bearer);
    return true;
  }

  get(path: string): Promise<Answered> {
    return this.#json('GET', path);
  }

  post(path: string, value: object): Promise<Answered> {
    return this.#json('POST', path, value);
  }

  /** Reads events until the server ends, or the signal is aborted. Throws what it was refused with, as an Answered. */
  async events(since: string | null, signal: AbortSignal, hear: (event: TrailEvent) => void): Promise<void> {
    const query = since === null ? '' : `?since=${encodeURIComponent(since)}`;
    const response = await this.#fetch('GET', `/api/events${query}`, undefined, signal);
    if (response.headers.get('Content-Type')?.startsWith('application/json')) throw await response.json();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + read.value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line !== '') hear(JSON.parse(line));
    }
  }

  async #json(method: string, path: string, value?: object): Promise<Answered> {
    try {
      return await (await this.#fetch(method, path, value)).json();
    } catch {
      return { ok: false, code: 'AWAY', message: 'vedit watch does not answer. Is it still running?' };
    }
  }

  #fetch(method: string, path: string, value?: object, signal?: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (this.#bearer !== null) headers.Authorization = `Bearer ${this.#bearer}`;
    if (value !== undefined) headers['Content-Type'] = 'application/json';
    const body = value === undefined ? null : JSON.stringify(value);
    return fetch(path, {
      method,
      headers,
      body,
      signal: signal ?? null,
      credentials: 'omit',
      cache: 'no-store',
    });
  }
}
