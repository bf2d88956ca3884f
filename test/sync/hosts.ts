/** Hosts that share one trail on a bare server, each with a repository of its own. */

import {
  type Answer,
  type DoneData,
  initRepository,
  type SyncData,
  type SyncOptions,
} from '../../src/index.ts';
import { git, using } from '../helpers/clones.ts';
import { bareServer } from '../helpers/git-servers.ts';
import { type Place, place } from '../helpers/person-repo.ts';
import { at, type Sandbox } from '../helpers/real-git.ts';

/** Repositories that the engine made, with the server as origin: bare ones, or with files. */
export async function hostsOf(
  server: Sandbox,
  names: readonly string[],
  { bare = true, url = server.dir }: { bare?: boolean; url?: string } = {},
): Promise<Place[]> {
  const made: Place[] = [];
  for (const name of names) {
    const root = server.path('..', name);
    await initRepository({ root, bare });
    const host = place(at(root));
    host.git('remote', 'add', 'origin', url);
    made.push(host);
  }
  return made;
}

/** One sync in a workspace of its own. */
export const sync = (host: Place, options: SyncOptions = {}): Promise<Answer<SyncData>> =>
  using(host, one => one.sync({ git, withOutside: true, withUnpushedCommits: true, ...options }));

export const tip = (box: Sandbox, ref = 'refs/heads/main'): string => box.git('rev-parse', ref);

/** The trees of these repositories, each once. */
export function treesOf(boxes: readonly Sandbox[], ref = 'refs/heads/main'): Set<string> {
  return new Set(boxes.map(box => tip(box, `${ref}^{tree}`)));
}

export const faultsOf = async (host: Place): Promise<string[]> =>
  (await using(host, one => one.verify())).data.faults.map(({ kind, message }) => `${kind}: ${message}`);

/** Makes a file, by an agent. */
export const create = (host: Place, path: string, file_text: string): Promise<Answer<DoneData>> =>
  using(host, one => one.session({ agent: 'maker' }).edit('create', { path, file_text }));

/** Twelve lines, each of which occurs once. */
export const LINES: string = Array.from({ length: 12 }, (_, n) => `line ${n + 1}\n`).join('');

/** A server, and two hosts that have LINES of it in a.txt. */
export async function twoHosts(): Promise<{ server: Sandbox; one: Place; two: Place }> {
  const server = bareServer();
  const [one, two] = await hostsOf(server, ['one', 'two']);
  await create(one!, 'a.txt', LINES);
  await sync(one!);
  await sync(two!);
  return { server, one: one!, two: two! };
}
