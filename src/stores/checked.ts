/** A store that a caller brought: whatever goes wrong in it is `STORE_FAILED`, in the words of its own error. */

import { EditError, ifRefused } from '../errors.ts';
import { pathName } from '../wording.ts';
import { foldersAbove } from './paths.ts';
import type { Staged, Store, StoreChange, StoredFile } from './store.ts';

type Hash = (bytes: Uint8Array) => Promise<string> | string;

/** Throws INVALID_INPUT for what is no store, naming what it lacks. */
export function checkStore(given: unknown): asserts given is Store {
  const store = Object(given) as Record<string, unknown>;
  const lacks = NEEDED.filter(name => typeof store[name] !== 'function').map(name => `${name}()`);
  if (typeof store.separate !== 'boolean') lacks.push('separate (true where others write to the files, too)');
  const wrong = OPTIONAL.filter(name => store[name] !== undefined && typeof store[name] !== 'function');
  if (lacks.length === 0 && wrong.length === 0) return;
  const words = [
    ...(lacks.length > 0 ? [`it has no ${lacks.join(', no ')}`] : []),
    ...(wrong.length > 0 ? [`${wrong.join(' and ')} must be a function where it is given`] : []),
  ].join('; ');
  const message = `openWorkspace: \`store\` is not a Store: ${words}. Nothing was done. simpleStore({ read, write, list }) makes one of three functions, and versioned-edit/testing tries one of your own.`;
  throw new EditError('INVALID_INPUT', message, { field: 'store', missing: lacks });
}

const NEEDED = ['resolve', 'read', 'list', 'stage', 'recover'] as const;
const OPTIONAL = ['drop', 'close', 'sync'] as const;

export function givenStore(store: Store, hash: Hash): Store {
  return {
    ...callsWithAdvice(store, [...NEEDED, ...OPTIONAL]),
    separate: store.separate,
    read: path => withAdvice(() => readFile(store, path, hash)),
    stage: (changes, name) =>
      withAdvice(async () => {
        await checkAbove(store, changes);
        return givenStaged(await store.stage(changes, name));
      }),
  };
}

/** Reads a file. A folder is told from nothing at all here, so that no store has to. */
async function readFile(store: Store, path: string, hash: Hash): Promise<StoredFile | null> {
  const file = await store.read(path);
  if (file) await checkVersion(path, file, hash);
  if (file || !(await store.list(path))) return file;
  throw new EditError('IS_DIRECTORY', `${pathName(path)} is a folder. Name a file in it.`, { path });
}

/** Throws for a wrong version, which would enter history as the name of an object that there is not. */
async function checkVersion(path: string, { bytes, mode, version }: StoredFile, hash: Hash): Promise<void> {
  if (!(bytes instanceof Uint8Array)) throw new Error(`it answers no bytes (a Uint8Array) for ${path}`);
  if (mode !== '100644' && mode !== '100755')
    throw new Error(`it answers mode ${JSON.stringify(mode)} for ${path}, which is "100644" or "100755"`);
  const right = await hash(bytes);
  if (version !== right) throw new Error(`it answers version ${version} for ${path}, which is ${right}`);
}

/** Throws FILE_EXISTS for a file below another one: a table can hold `a` and `a/b`, a history cannot. */
async function checkAbove(store: Store, changes: readonly StoreChange[]): Promise<void> {
  const leaving = new Set(changes.filter(one => !one.after).map(one => one.path));
  const coming = changes.filter(one => one.after && !one.before);
  const folders = new Set(coming.flatMap(one => foldersAbove(one.path)));
  for (const path of folders) {
    if (leaving.has(path) || !(await store.read(path).catch(ifRefused(null, 'IS_DIRECTORY')))) continue;
    const message = `${pathName(path)} is a file, so nothing can lie below it; choose another path.`;
    throw new EditError('FILE_EXISTS', message, { path });
  }
}

function givenStaged(staged: Staged): Staged {
  const lacks = STAGED.filter(name => typeof Object(staged)[name] !== 'function');
  if (lacks.length > 0) throw new Error(`what stage() answers has no ${lacks.join(', no ')}`);
  if (!Array.isArray(staged.skipped)) throw new Error('what stage() answers has no list skipped');
  return {
    ...callsWithAdvice(staged, ['sync', 'verify', 'discard']),
    ...callsWithAdvice(staged, ['publish', 'settle'], DONE_ALREADY),
    record: staged.record,
    get skipped() {
      return staged.skipped;
    },
  };
}

/** Wraps the calls of these names that are there, so that each throws STORE_FAILED in the store's own words. */
function callsWithAdvice<T extends object, K extends keyof T>(
  of: T,
  names: readonly K[],
  advice?: string,
): Pick<T, K> {
  const calls = names.flatMap(name => {
    const call = of[name] as ((...args: unknown[]) => Promise<unknown>) | undefined;
    return call ? [[name, (...args: unknown[]) => withAdvice(() => call.apply(of, args), advice)]] : [];
  });
  return Object.fromEntries(calls);
}

const STAGED = ['sync', 'verify', 'publish', 'settle', 'discard'] as const;

const NOT_DONE = ' Nothing was changed; try again when the cause is gone.';

/** By then the edit is in history, and who asks for it is told how it goes on. */
const DONE_ALREADY = '';

async function withAdvice<T>(call: () => Promise<T>, advice: string = NOT_DONE): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof EditError) throw error;
    const cause = (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
    throw new EditError('STORE_FAILED', `The store failed: ${cause}.${advice}`, { cause }, { cause: error });
  }
}
