/**
 * The transport where there is no git: over HTTP, through isomorphic-git, in Node and in browsers, from a disk or out of
 * memory. isomorphic-git asks the server and its passwords, and makes the index of what came. Which objects are sent, and
 * with which expected old values, the engine decides: isomorphic-git's own push sends every object of the tree with the
 * first push of a ref, moves one ref a push, and expects whatever the server just said.
 */

import { EditError, isEditError } from '../../errors.ts';
import { createFile, ensureFolder } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { indexPack } from '../../git/portable/pack-writer.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import type { Config } from '../../git/repository/config.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { remoteFailed } from '../failures.ts';
import {
  matchesAny,
  type PushReport,
  type RefUpdate,
  type RemoteRef,
  type Transport,
  type TransportPlace,
} from '../transport.ts';
import { type Credentials, type CredentialsRequest, Exchange } from './exchange.ts';
import type { HttpClient } from './http-client.ts';
import { fetchRequest, knownCommits, packFor, packOf, pushRequest, reportOf } from './pack-protocol.ts';
import { surveyPack } from './survey-pack.ts';

export interface IsomorphicGitOptions {
  /** The address of the server; default: that of the remote in git's config. */
  url?: string | undefined;
  /** Asked when the server wants to know who asks, and again when it refused that; `null` gives up. */
  credentials?:
    | ((request: CredentialsRequest) => Promise<Credentials | null> | Credentials | null)
    | undefined;
  /** Headers of every request, beside `http.extraHeader` of git's config. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** For browsers, where the server does not allow requests from other pages. */
  corsProxy?: string | undefined;
  /** Another HTTP client than fetch; those of isomorphic-git fit. */
  http?: HttpClient | undefined;
}

const TIMEOUT = 10 * 60_000;
/** Bytes of a pack that is fetched; all of it is in memory. */
const MAX_PACK = 256 * 1024 * 1024;
/** Bytes of one object, and what all of a pack may come to, as a multiple of what the pack may have. */
const MAX_OBJECT = 256 * 1024 * 1024;
const EXPANSION = 8;
/** Bytes of the answer to a push. */
const REPORT = 1024 * 1024;

export class IsomorphicTransport implements Transport {
  readonly remote: string;
  readonly #place: TransportPlace;
  readonly #exchange: Exchange;

  /** Throws INVALID_INPUT for an address that is not one of HTTP. */
  constructor(place: TransportPlace, options: IsomorphicGitOptions) {
    this.remote = place.remote;
    this.#place = place;
    const url = addressOf(place, options.url);
    const { remote, timeout = TIMEOUT, signal } = place;
    const headers = { ...headersOf(place.repo.config, url), ...options.headers };
    this.#exchange = new Exchange({ ...options, remote, url, headers, timeout, signal });
  }

  async list(patterns: readonly string[]): Promise<RemoteRef[]> {
    const { refs } = await this.#exchange.discover('Listing refs', 'git-upload-pack');
    return [...refs]
      .map(([name, oid]) => ({ name, oid }))
      .filter(({ name, oid }) => /^[0-9a-f]{40}$/.test(oid) && matchesAny(patterns, name));
  }

  async fetch(names: readonly string[], objectsDir: string): Promise<void> {
    const { repo, objects, fs, maxBytes = MAX_PACK } = this.#place;
    const server = await this.#exchange.discover('Fetching', 'git-upload-pack');
    const wants = names.flatMap(name => server.refs.get(name) ?? []);
    if (wants.length < names.length)
      throw remoteFailed(this.remote, 'Fetching', 'a ref is gone that was there');
    const { capabilities } = server;
    const tips = (await listRefs(repo, 'refs/')).map(({ oid }) => oid);
    const haves = await knownCommits(objects, tips, server.refs.values());
    const shallow = await shallowCommits(this.#place);
    const limit = Math.min(maxBytes, MAX_PACK);
    const answer = await server.post(fetchRequest({ wants, haves, shallow, capabilities }), limit);
    const pack = this.#packIn(answer, capabilities);
    const count = await surveyPack(objects.codec, pack, { object: MAX_OBJECT, all: limit * EXPANSION });
    if (count === 0) return;
    const made = await indexPack(pack, count).catch(error => {
      throw new EditError('CORRUPT', `the pack that was sent cannot be used: ${(error as Error).message}`);
    });
    await ensureFolder(fs, `${objectsDir}/pack`);
    await createFile(fs, `${objectsDir}/pack/${made.name}.pack`, made.pack, { sync: false });
    await createFile(fs, `${objectsDir}/pack/${made.name}.idx`, made.index, { sync: false });
  }

  async push(updates: readonly RefUpdate[]): Promise<PushReport> {
    const notDone = (words: string, rejected: readonly RefUpdate[] = []): PushReport => ({
      done: false,
      rejected: new Set(rejected.map(({ ref }) => ref)),
      words,
    });
    const { objects, signal } = this.#place;
    try {
      const server = await this.#exchange.discover('Pushing', 'git-receive-pack');
      const { capabilities, refs } = server;
      const moved = updates.filter(({ ref, old }) => (refs.get(ref) ?? null) !== old);
      if (moved.length > 0) return notDone('stale: the server has another value', moved);
      for (const one of updates)
        if (!(await this.#isForward(one))) return notDone('not a fast-forward of what the server has', [one]);
      const tips = updates.flatMap(({ oid }) => oid ?? []);
      const pack = tips.length === 0 ? [] : [await packFor(objects, tips, refs.values())];
      const answer = await server.post([...pushRequest(updates, capabilities), ...pack], REPORT);
      return reportOf(answer, updates, capabilities);
    } catch (error) {
      signal?.throwIfAborted();
      if (isEditError(error, 'REMOTE_FAILED')) return notDone(error.data.words);
      if (error instanceof EditError) throw error;
      return notDone((error as Error).message);
    }
  }

  /** Tells whether a ref only goes forward: a server protects none outside of refs/heads/. */
  async #isForward({ old, oid }: RefUpdate): Promise<boolean> {
    return old === null || oid === null || (await isAncestor(this.#place.objects, old, oid));
  }

  #packIn(answer: Uint8Array, capabilities: ReadonlySet<string>): Uint8Array {
    try {
      return packOf(answer, capabilities);
    } catch (error) {
      throw remoteFailed(this.remote, 'Fetching', (error as Error).message);
    }
  }
}

async function shallowCommits({ repo, fs }: TransportPlace): Promise<string[]> {
  const bytes = await orNull(fs.readFile(`${repo.commonDir}/shallow`));
  return bytes === null ? [] : (new TextDecoder().decode(bytes).match(/^[0-9a-f]{40}$/gm) ?? []);
}

/** Returns the address, which may hold a user and a password. Throws INVALID_INPUT, which does not show it. */
export function addressOf({ repo: { config }, remote }: TransportPlace, given: string | undefined): string {
  const address = given ?? rewritten(config, config.get(`remote.${remote}.url`) ?? '');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  if ((scheme === 'http' || scheme === 'https') && URL.canParse(address)) return address.replace(/\/+$/, '');
  const where = scheme ?? (/^[^/]*:/.test(address) ? 'ssh' : 'a folder');
  const message = `Without git only servers of http and https can be reached, and the remote ${remote} is not one (${where}). Install git, or give the address over https.`;
  throw new EditError('INVALID_INPUT', message, { field: 'remote', fields: ['remote'] });
}

/** Rewrites an address by `url.<base>.insteadOf`: the longest beginning wins. */
function rewritten(config: Config, address: string): string {
  let best = { from: '', to: '' };
  for (const key of config.keys()) {
    const to = /^url\.(.+)\.insteadof$/s.exec(key)?.[1];
    if (to === undefined) continue;
    for (const from of config.getAll(key))
      if (address.startsWith(from) && from.length > best.from.length) best = { from, to };
  }
  return best.to + address.slice(best.from.length);
}

/** Reads `http.extraHeader`, and `http.<address>.extraHeader` of an address that this one begins with. */
export function headersOf(config: Config, address: string): Record<string, string> {
  const plain = address.replace(/^(\w+:\/\/)[^/]*@/, '$1');
  const headers: Record<string, string> = {};
  for (const key of config.keys()) {
    const base = key === 'http.extraheader' ? '' : /^http\.(.+)\.extraheader$/s.exec(key)?.[1];
    if (base === undefined || !isBelow(plain, base)) continue;
    for (const line of config.getAll(key)) {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
      if (name !== undefined) headers[name] = value!;
    }
  }
  return headers;
}

function isBelow(address: string, base: string): boolean {
  const folder = base.replace(/\/+$/, '');
  return base === '' || address === folder || address.startsWith(`${folder}/`);
}
