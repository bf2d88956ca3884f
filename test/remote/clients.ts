/** A repository with a transport to a server: by the git of the machine, or by isomorphic-git with no git at all. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { systemGit } from '../../src/git/native/system-git.ts';
import { openObjects } from '../../src/git/objects/object-database.ts';
import { locate } from '../../src/git/repository/repository.ts';
import type { GitCall } from '../../src/git/run-git.ts';
import {
  type IsomorphicGitOptions,
  IsomorphicTransport,
} from '../../src/remote/isomorphic/isomorphic-git.ts';
import { SystemGitTransport } from '../../src/remote/system-git.ts';
import type { Transport, TransportPlace } from '../../src/remote/transport.ts';
import { repository, type Sandbox } from '../helpers/real-git.ts';

export interface Client extends Sandbox {
  transport: Transport;
  /** What git was started with; nothing for isomorphic-git. */
  calls: GitCall[];
  commit(text: string): string;
}

export interface ClientOptions {
  timeout?: number;
  signal?: AbortSignal;
  env?: object;
  maxBytes?: number;
  isomorphic?: IsomorphicGitOptions;
}

type Make = (box: Sandbox, calls: GitCall[], options: ClientOptions) => Promise<Transport>;

const SYSTEM: Make = async (box, calls, { env, timeout, signal }) => {
  const run = systemGit({ PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...env });
  const git: typeof run = call => {
    calls.push(call);
    return run(call);
  };
  return new SystemGitTransport({ git, cwd: box.dir, remote: 'origin', timeout, signal });
};

const ISOMORPHIC: Make = async (box, _, { timeout, signal, maxBytes, isomorphic = {} }) =>
  new IsomorphicTransport({ ...(await placeIn(box)), timeout, signal, maxBytes }, isomorphic);

/** The repository as it is now. */
async function placeIn(box: Sandbox): Promise<TransportPlace> {
  const fs = nodeFs();
  const repo = await locate(fs, box.dir);
  const objects = openObjects({ fs, codec: nativeCodec, objectsDir: `${repo.commonDir}/objects` });
  return { fs, repo, objects, remote: 'origin' };
}

export type ClientMaker = (url: string, options?: ClientOptions) => Promise<Client>;

function makerOf(make: Make): ClientMaker {
  return async (url, options = {}) => {
    const box = repository();
    box.git('remote', 'add', 'origin', url);
    const calls: GitCall[] = [];
    const transport = await make(box, calls, options);
    const commit = (text: string): string => {
      box.write('a.txt', text);
      box.git('add', '-A');
      box.git('commit', '-qm', text);
      return box.git('rev-parse', 'HEAD');
    };
    return { ...box, transport, calls, commit };
  };
}

export const systemClient: ClientMaker = makerOf(SYSTEM);
export const isomorphicClient: ClientMaker = makerOf(ISOMORPHIC);

/** Every story is told over each. */
export const TRANSPORTS: ReadonlyArray<readonly [name: string, make: ClientMaker]> = [
  ['the git of the machine', systemClient],
  ['isomorphic-git', isomorphicClient],
];

/** The objects folder that a fetch writes to. */
export function quarantine(box: Sandbox): string {
  const dir = box.path('.git', 'quarantine', 'objects');
  mkdirSync(`${dir}/info`, { recursive: true });
  writeFileSync(`${dir}/info/alternates`, `${box.path('.git', 'objects')}\n`);
  return dir;
}
