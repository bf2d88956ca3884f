/** One server, asked over HTTP through isomorphic-git: its refs, and one request of the protocol. */

import { concatBytes, latin1, utf8 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { remoteHttp } from '../../git/portable/isomorphic-git.ts';
import { remoteFailed, withoutSecrets } from '../failures.ts';
import { fetchClient, type HttpClient, type WholeResponse, wholeAnswers } from './http-client.ts';

/** The credentials that a server is told: a user with a password or token, or headers. */
export interface Credentials {
  username?: string | undefined;
  password?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The request for credentials of a server. */
export interface CredentialsRequest {
  /** The address, without user and password. */
  url: string;
  /** The name of the remote. */
  remote: string;
  /** The credentials that were given before, and refused; `null` at the first time. */
  refused: Credentials | null;
}

export interface ExchangeOptions {
  remote: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  credentials?:
    | ((request: CredentialsRequest) => Promise<Credentials | null> | Credentials | null)
    | undefined;
  http?: HttpClient | undefined;
  corsProxy?: string | undefined;
  timeout: number;
  signal?: AbortSignal | undefined;
}

export type Service = 'git-upload-pack' | 'git-receive-pack';

/** The refs and abilities that a server says of itself before anything is asked. */
export interface Advertised {
  capabilities: ReadonlySet<string>;
  refs: ReadonlyMap<string, string>;
  /** Asks for more, with the credentials that were right. */
  post(body: readonly Uint8Array[], limit: number): Promise<Uint8Array>;
}

/** The most times that somebody is asked for a password. */
const TRIES = 3;
/** Bytes of the list of refs: half a million of them. */
const LIST = 64 * 1024 * 1024;

export class Exchange {
  readonly #options: ExchangeOptions;
  /** The credentials that the server took, so that nobody is asked for each question to it. */
  #right: Credentials | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Asks for the refs. Throws REMOTE_FAILED, `what` being what the list was needed for. */
  async discover(what: string, service: Service): Promise<Advertised> {
    let whole: Uint8Array = new Uint8Array(0);
    const note = ({ body }: WholeResponse): void => {
      whole = body[0];
    };
    return this.#failing(what, async signal => {
      const remote = await (await remoteHttp()).discover({
        ...this.#request(LIST, signal, note),
        ...this.#asking(),
        service,
        protocolVersion: 1,
      });
      // Half a list would be taken for all of it, and a ref that is there for one that is not.
      if (latin1(whole.subarray(-4)) !== '0000') throw new Error('the list of refs ends in the middle');
      const { auth, refs, capabilities } = remote as {
        auth: object;
        refs: Map<string, string>;
        capabilities: Set<string>;
      };
      return {
        refs,
        capabilities,
        post: (body, limit) => this.#failing(what, own => this.#post(service, auth, body, limit, own)),
      };
    });
  }

  async #post(
    service: Service,
    auth: object,
    body: readonly Uint8Array[],
    limit: number,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    // isomorphic-git drops what the server says here.
    const check = (response: WholeResponse): void => {
      if (response.statusCode !== 200) throw new Error(statusOf(response));
    };
    const request = this.#request(limit, signal, check);
    const response = await (await remoteHttp()).connect({
      ...request,
      service,
      auth,
      body: [concatBytes(body)],
    });
    if (response.headers?.['content-type'] !== `application/x-${service}-result`)
      throw new Error('an answer that is not one of a git server');
    return (response.body as unknown as WholeResponse['body'])[0];
  }

  /** Returns the options of every request to the server; `see` is shown each answer before it is read. */
  #request(limit: number, signal: AbortSignal, see: (response: WholeResponse) => void) {
    const { http = fetchClient, url, headers, corsProxy } = this.#options;
    return {
      http: wholeAnswers(http, limit, see) as never,
      url,
      headers: { ...headers, ...headersFor(this.#right) },
      ...(corsProxy === undefined ? {} : { corsProxy }),
      signal,
    };
  }

  /** Returns the callbacks by which isomorphic-git asks for a password, and asks again when it was wrong. */
  #asking(): object {
    const { credentials, remote } = this.#options;
    if (!credentials) return {};
    let asked = 0;
    const ask = async (url: string, refused: Credentials | null): Promise<object | null> => {
      if (++asked > TRIES) return null;
      const given = await credentials({ url: withoutSecrets(url), remote, refused });
      return given && { ...given };
    };
    return {
      onAuthSuccess: (_: string, given: Credentials) => {
        this.#right = given;
      },
      onAuth: (url: string) => ask(url, null),
      onAuthFailure: (url: string, refused: Credentials) => ask(url, refused),
    };
  }

  async #failing<T>(what: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { timeout, signal, remote } = this.#options;
    const late = AbortSignal.timeout(timeout);
    try {
      return await run(signal ? AbortSignal.any([late, signal]) : late);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EditError) throw error;
      const words = late.aborted ? `no answer within ${Math.round(timeout / 1000)} s` : wordsOf(error);
      throw remoteFailed(remote, what, words);
    }
  }
}

function headersFor(right: Credentials | null): Record<string, string> {
  if (right === null) return {};
  const { username = '', password = '', headers } = right;
  const isNamed = username !== '' || password !== '';
  const basic = { Authorization: `Basic ${btoa(latin1(utf8(`${username}:${password}`)))}` };
  return { ...(isNamed ? basic : {}), ...headers };
}

function statusOf({ statusCode, statusMessage, body }: WholeResponse): string {
  const said = new TextDecoder().decode(body[0].subarray(0, 2_000));
  return `HTTP ${statusCode} ${statusMessage}\n${said}`.trim();
}

/** Words an error: one of isomorphic-git has what the server said, one of fetch its cause. */
function wordsOf(error: unknown): string {
  const { message, data, cause } = error as {
    message?: string;
    data?: { response?: unknown };
    cause?: { message?: string };
  };
  const said = typeof data?.response === 'string' ? `\n${data.response}` : '';
  return withoutSecrets(`${message ?? String(error)}${cause?.message ? `: ${cause.message}` : ''}${said}`);
}
