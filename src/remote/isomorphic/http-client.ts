/**
 * The HTTP that isomorphic-git speaks through, by fetch, which browsers, Node and most others have. (Node's global agent, which
 * isomorphic-git's own client for Node uses, gives up after five silent seconds; a server that unpacks is silent.) An answer
 * comes as a whole or not at all: isomorphic-git takes half a list of refs for all of it.
 */

import { collected, partsOf } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { fieldName } from '../../wording.ts';

/** A request as isomorphic-git makes it. */
export interface HttpRequest {
  url: string;
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Parts of the body. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  url: string;
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** The parts of the body. */
  body?: unknown;
  statusCode: number;
  statusMessage: string;
}

/** As isomorphic-git has it: `isomorphic-git/http/node` with an agent is one, for a proxy or a certificate of one's own. */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpResponse>;
}

type Parts = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** By the fetch of the platform. */
export const fetchClient: HttpClient = {
  async request({ url, method = 'GET', headers = {}, body, signal }) {
    const sent = body ? await collected(body as Parts, Number.POSITIVE_INFINITY, tooMuch) : undefined;
    const response = await fetch(url, {
      method,
      headers,
      ...(sent ? { body: sent as Uint8Array<ArrayBuffer> } : {}),
      ...(signal ? { signal } : {}),
    });
    return {
      url: response.url,
      method,
      headers: Object.fromEntries(response.headers.entries()),
      body: response.body ? partsOf(response.body) : [],
      statusCode: response.status,
      statusMessage: response.statusText,
    };
  },
};

/** An answer of which the body is one piece. */
export type WholeResponse = HttpResponse & { body: [Uint8Array] };

/** Makes a client of which each answer has come as a whole, of at most `limit` bytes, before `see` and the caller get it. */
export function wholeAnswers(
  client: HttpClient,
  limit: number,
  see: (response: WholeResponse) => void,
): HttpClient {
  return {
    async request(request) {
      const response = await client.request(request);
      const whole: WholeResponse = {
        ...response,
        body: [await collected((response.body ?? []) as Parts, limit, tooMuch)],
      };
      see(whole);
      return whole;
    },
  };
}

function tooMuch(limit: number): EditError {
  const message = `The remote sends more than ${limit} bytes of history that is not here, and nothing was taken. If that is right, git fetch its branches first, or raise the limit (${fieldName('maxBytes')}).`;
  return new EditError('TOO_LARGE', message, { limit });
}
