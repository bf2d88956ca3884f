/**
 * The way to a git server, by the git of the machine: with the person's helpers for credentials, their ssh command and
 * their pre-push hook. Addresses never stand on its command line, only the remote's name does. Of the server one guarantee
 * is enough: a ref moves from an expected old value to a new one, or not at all.
 */

import type { EditError } from '../errors.ts';
import { type GitCall, type GitResult, quietGit, type RunGit, type RunningGit } from '../git/run-git.ts';
import {
  failedHook,
  refusedByHook,
  remoteFailed,
  TRACING,
  withoutEvents,
  withoutSecrets,
} from './failures.ts';
import { type Hidden, hiddenCredentials } from './hidden-credentials.ts';

/** A ref of the server. */
export interface RemoteRef {
  /** The full name. */
  name: string;
  oid: string;
}

/** A ref that is to move. */
export interface RefUpdate {
  ref: string;
  /** The id that it must hold now; `null`: it must not exist. */
  old: string | null;
  /** The new id of the ref; `null` deletes it. */
  oid: string | null;
}

/** The outcome of one push, as far as the transport knows: only the refs themselves tell what became of it. */
export interface PushReport {
  /** True when every ref is known to have moved. */
  done: boolean;
  /** Refs of which the server, or git before it asked the server, said no. */
  rejected: ReadonlySet<string>;
  /** Words of the server, git and a hook, without credentials; '' for nothing. For people: no program reads it. */
  words: string;
}

export interface TransportOptions {
  git: RunGit;
  /** Absolute: where git is run. */
  cwd: string;
  /** A remote of the repository's config. */
  remote: string;
  /** Ends a run of git that takes longer; default: ten minutes. */
  timeout?: number | undefined;
  /** Ends git when the signal is aborted. */
  signal?: AbortSignal | undefined;
  /** True where a person can be asked for a password; default: no. */
  mayAsk?: boolean | undefined;
  /** Stops a fetch that brings more, asked while it runs. */
  isTooMuch?: ((objectsDir: string) => Promise<EditError | null>) | undefined;
}

/** Settings that no config of a person or a repository may change. */
const SAFE: readonly string[] = [
  'protocol.ext.allow=never',
  'core.fsmonitor=false',
  'fetch.fsckObjects=true',
  'fetch.unpackLimit=1',
  'fetch.recurseSubmodules=false',
  'fetch.writeCommitGraph=false',
  'fetch.prune=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'push.followTags=false',
  'push.recurseSubmodules=no',
  'submodule.recurse=false',
];

/** Options of a fetch: into no ref, and nothing but what is asked for. */
const FETCH: readonly string[] = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
  '--no-prune',
  '--no-filter',
  '--refmap=',
  '--stdin',
];

const TIMEOUT = 10 * 60_000;
/** Milliseconds between two looks at how much a fetch has brought. */
const LOOK = 500;

export class Transport {
  /** The name of the remote, for messages. Its address may hold a password, and is in no message. */
  readonly remote: string;
  readonly #options: TransportOptions;
  #hidden: Promise<Hidden> | null = null;

  constructor(options: TransportOptions) {
    this.remote = options.remote;
    this.#options = options;
  }

  /** Lists the refs whose names match a pattern: a full name, or one that ends with `/*` for all below. Throws REMOTE_FAILED. */
  async list(patterns: readonly string[]): Promise<RemoteRef[]> {
    const { remote } = this;
    const result = await this.#run('Listing refs', {
      args: ['ls-remote', '--quiet', '--refs', remote, ...patterns],
    });
    if (result.code !== 0) throw remoteFailed(remote, 'Listing refs', wordsOf(result));
    const refs: RemoteRef[] = [];
    for (const line of result.stdout.split('\n')) {
      const [, oid, name] = /^([0-9a-f]{40})\t(refs\/.+)$/.exec(line) ?? [];
      // A pattern also matches the end of a longer name.
      if (oid && name && matchesAny(patterns, name)) refs.push({ name, oid });
      else if (line !== '' && !oid) throw remoteFailed(remote, 'Reading the list of refs', '');
    }
    if (result.stdout.trim() === '') await this.#checkIsGit();
    return refs;
  }

  /** Checks that a git server answered, which speaks in packets: git takes a page that says 'log in' for one without refs. Throws REMOTE_FAILED. */
  async #checkIsGit(): Promise<void> {
    const args = ['ls-remote', '--quiet', this.remote];
    const { code, stderr } = await this.#run('Listing refs', { args, env: { GIT_TRACE_PACKET: '1' } });
    if (code === 0 && /\bpacket:/.test(stderr)) return;
    const words = 'an answer that is not one of a git server (a page to log in?)';
    throw remoteFailed(this.remote, 'Listing refs', words);
  }

  /**
   * Brings what these refs lead to into an objects folder of its own (absolute), which names the repository's own as its
   * alternate. Moves no ref, here neither. Throws REMOTE_FAILED, TOO_LARGE.
   */
  async fetch(names: readonly string[], objectsDir: string): Promise<void> {
    const look = this.#options.isTooMuch;
    const result = await this.#run(
      'Fetching',
      {
        args: ['fetch', ...FETCH, this.remote],
        env: { GIT_OBJECT_DIRECTORY: objectsDir },
        input: names.map(name => `${name}\n`).join(''),
      },
      look && (() => look(objectsDir)),
    );
    if (result.code !== 0) throw remoteFailed(this.remote, 'Fetching', wordsOf(result));
    // A fast one is over before anybody looked.
    const tooMuch = await look?.(objectsDir);
    if (tooMuch) throw tooMuch;
  }

  /**
   * Asks the server once to move the refs, each by itself. Throws REMOTE_FAILED where there is no git to run, GIT_REFUSED where
   * a hook of this repository says no.
   */
  async push(updates: readonly RefUpdate[]): Promise<PushReport> {
    const leases = updates.map(({ ref, old }) => `--force-with-lease=${ref}:${old ?? ''}`);
    const specs = updates.map(({ ref, oid }) => `${oid ?? ''}:${ref}`);
    const options = ['--porcelain', '--no-follow-tags', '--recurse-submodules=no', ...leases];
    const args = ['push', ...options, this.remote, ...specs];
    const result = await this.#run('Pushing', { args, env: TRACING });
    const hook = result.code === 0 ? null : failedHook(result.stderr);
    if (hook !== null) throw refusedByHook(hook, result);
    const rejected = new Set<string>();
    for (const line of result.stdout.split('\n')) {
      const [flag, refs] = line.split('\t');
      if (flag === '!' && refs !== undefined) rejected.add(refs.slice(refs.indexOf(':') + 1));
    }
    return { done: result.code === 0, rejected, words: wordsOf(result) };
  }

  /** Runs git; `look` is asked every now and then whether to stop it. Throws REMOTE_FAILED, and what `look` found. */
  async #run(
    what: string,
    call: Pick<GitCall, 'args' | 'env' | 'input'>,
    look?: () => Promise<EditError | null>,
  ): Promise<GitResult> {
    const { git, cwd, timeout = TIMEOUT, signal, mayAsk } = this.#options;
    signal?.throwIfAborted();
    const late = AbortSignal.timeout(timeout);
    const enough = new AbortController();
    const ending = AbortSignal.any([late, enough.signal, ...(signal ? [signal] : [])]);
    const looked = (found: EditError | null): void => {
      if (found) enough.abort(found);
    };
    const looking = look && setInterval(() => void look().then(looked, () => {}), LOOK);
    const own = [`remote.${this.remote}.mirror=false`, `remote.${this.remote}.prune=false`];
    const prompt = mayAsk ? {} : { GIT_TERMINAL_PROMPT: '0' };
    this.#hidden ??= hiddenCredentials(args => quietGit(git)({ args, cwd, env: prompt }), this.remote);
    try {
      const hidden = await this.#hidden;
      const config = [...[...SAFE, ...own].flatMap(one => ['-c', one]), ...hidden.config];
      const env = { ...prompt, ...hidden.env, ...call.env };
      const started = (running: RunningGit): void => killAt(ending, running);
      const args = [...config, ...call.args];
      const result = await git({ ...call, args, cwd, env, limit: OUTPUT, started });
      signal?.throwIfAborted();
      if (result === null) throw remoteFailed(this.remote, what, 'git could not be started');
      enough.signal.throwIfAborted();
      if (late.aborted)
        throw remoteFailed(this.remote, what, `no answer within ${Math.round(timeout / 1000)} s`);
      return result;
    } finally {
      clearInterval(looking);
    }
  }
}

/** Characters of the list of refs: half a million of them. */
const OUTPUT = 64 * 1024 * 1024;

/** Ends git when the signal is aborted, also where that was before git began. */
function killAt(signal: AbortSignal, git: RunningGit): void {
  const kill = (): void => git.kill('SIGTERM');
  if (signal.aborted) kill();
  else signal.addEventListener('abort', kill, { once: true });
}

function wordsOf({ stderr, signal }: GitResult): string {
  const said = withoutSecrets(withoutEvents(stderr));
  return signal && said === '' ? `git was ended by ${signal}` : said;
}

/** Tells whether a name is one of the patterns, or below one that ends with `/*`. */
function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some(one => (one.endsWith('/*') ? name.startsWith(one.slice(0, -1)) : name === one));
}
