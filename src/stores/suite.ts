/**
 * Tries what every store has to do, as cases for any test runner: for (const { name, run } of storeCases(open))
 * test(name, run). For those who write a store.
 */

import { versionOf } from './record.ts';
import type { Recovery, Store, StoreChange, StoredFile } from './store.ts';

/** A new, empty store, and what a test needs beside it. */
export interface StoreUnderTest {
  store: Store;
  /** Changes a file as somebody outside the engine would; `null` removes it. */
  put(path: string, bytes: Uint8Array | null): Promise<void>;
  /** Opens the files as a new process does after a crash; default: the same store. */
  reopen?(): Promise<Store>;
  close?(): Promise<void>;
}

/** With the record of the change that a crash cut off. */
type Tested = StoreUnderTest & { record?: unknown };

export interface StoreCase {
  name: string;
  /** Throws an Error that says what is wrong. */
  run(): Promise<void>;
}

export interface StoreCaseOptions {
  /** False for a store whose files have no execute bit: it must refuse one, as `simpleStore` does. Default true. */
  modes?: boolean;
}

/** Makes the cases, each with a store of its own from `open`. */
export function storeCases(
  open: () => Promise<StoreUnderTest>,
  { modes = true }: StoreCaseOptions = {},
): StoreCase[] {
  const cases = { ...CASES, ...(modes ? KEEPS_MODES : REFUSES_MODES) };
  return Object.entries(cases).map(([name, check]) => ({
    name,
    run: async () => {
      const test = await open();
      try {
        await check(test);
      } finally {
        await test.close?.();
      }
    },
  }));
}

type Cases = Readonly<Record<string, (test: Tested) => Promise<void>>>;

const CASES: Cases = {
  'answers null for a file that is not there': async ({ store }) => {
    same(await store.read('a.txt'), null, 'a file that is not there');
    same(await store.list('none'), null, 'a folder that is not there');
  },

  'keeps exact bytes, under the id that git gives them': async ({ store }) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    for (const one of [bytes, text(''), text('a\r\nb\n\ufeff')]) {
      await publish(store, [await change('a.bin', await store.read('a.bin'), one)]);
      same(
        await shown(store, 'a.bin'),
        { bytes: [...one], mode: '100644', version: await versionOf(one) },
        'the file',
      );
    }
  },

  'creates, changes and deletes several files as one': async ({ store }) => {
    await publish(store, [await change('a', null, text('1')), await change('b/c', null, text('2'))]);
    const [a, c] = [await store.read('a'), await store.read('b/c')];
    await publish(store, [
      await change('a', a, null),
      await change('b/c', c, text('3')),
      await change('d', null, text('4')),
    ]);
    same(await contents(store, 'a', 'b/c', 'd'), [null, '3', '4'], 'the files');
  },

  'lists folders, sorted, and takes none for a file': async ({ store }) => {
    await publish(store, [
      await change('b.txt', null, text('1')),
      await change('a/x.txt', null, text('2')),
      await change('a/y/z.txt', null, text('3')),
    ]);
    const names = async (path: string): Promise<unknown> =>
      (await store.list(path))?.map(one => `${one.name} ${one.type}`);
    same(await names(''), ['a directory', 'b.txt file'], 'the root');
    same(await names('a'), ['x.txt file', 'y directory'], 'a folder');
    const read = await store.read('a').catch(codeOf);
    same(read === 'IS_DIRECTORY' ? null : read, null, 'reading a folder');
  },

  'takes every legal name': async ({ store }) => {
    const names = [
      'a b',
      '-x',
      '..foo',
      '.github/w.yml',
      "it's",
      '100%_done',
      'ünï/日本',
      'a"b',
      'SELECT;--',
    ];
    for (const name of names) await publish(store, [await change(name, null, text(name))]);
    same(await contents(store, ...names), names, 'the files');
  },

  'shows nothing of what is staged before it is published': async ({ store }) => {
    await publish(store, [await change('a', null, text('old'))]);
    const staged = await store.stage([
      await change('a', await store.read('a'), text('new')),
      await change('b', null, text('b')),
    ]);
    await staged.sync();
    same(await contents(store, 'a', 'b'), ['old', null], 'the files while staged');
    await staged.discard();
    await staged.discard();
    same(await contents(store, 'a', 'b'), ['old', null], 'the files after it was discarded');
  },

  'sees what somebody else changed': async ({ store, put }) => {
    await put('a', text('theirs'));
    same(await contents(store, 'a'), ['theirs'], 'a file of somebody else');
    const stale = await change('a', await stored(text('other')), text('new'));
    const staged = await store.stage([stale, await change('b', null, text('b'))]);
    same(await staged.verify(), ['a'], 'the paths that no longer hold what was expected');
    await staged.discard();
    same(await contents(store, 'a', 'b'), ['theirs', null], 'the files');
  },

  'writes over nothing that somebody writes meanwhile': async ({ store, put }) => {
    for (let step = 0; step < STEPS; step++) {
      const path = `m${step}`;
      await publish(store, [await change(path, null, text('old'))]);
      const staged = await store.stage([await change(path, await store.read(path), text('new'))]);
      await staged.sync();
      same(await staged.verify(), [], 'the paths that no longer hold what was expected');
      const publishing = staged.publish();
      await later(step);
      await put(path, text('theirs'));
      await publishing;
      await staged.settle();
      await staged.discard();
      same(await contents(store, path), ['theirs'], `the file, written by others after ${step} steps`);
    }
  },

  'finishes after a crash what was staged': async test => {
    const { store, recovery } = await crashed(test);
    same(await contents(store, 'a', 'b', 'c'), ['old', null, 'gone'], 'the files after the crash');
    await store.recover([test.record], recovery);
    same(await contents(store, 'a', 'b', 'c'), ['new', 'b', null], 'the files');
    await store.recover([test.record], recovery);
    same(await contents(store, 'a', 'b', 'c'), ['new', 'b', null], 'the files, recovered twice');
  },

  'leaves alone in recovery what somebody writes meanwhile': async test => {
    for (let step = 0; step < STEPS; step++) {
      const { store, put } = test;
      const path = `r${step}`;
      await publish(store, [await change(path, null, text('old'))]);
      const changes = [await change(path, await store.read(path), text('new'))];
      const staged = await store.stage(changes);
      await staged.sync();
      const record = JSON.parse(JSON.stringify(staged.record));
      await staged.discard();
      const blob = async (): Promise<Uint8Array> => text('new');
      const recovering = store.recover([record], { boot: 'same', blob, isCurrent: async () => true });
      await later(step);
      await put(path, text('theirs'));
      await recovering;
      same(await contents(store, path), ['theirs'], `the file, written by others after ${step} steps`);
    }
  },

  'leaves alone in recovery what somebody changed since': async test => {
    const { store, recovery } = await crashed(test);
    await test.put('a', text('theirs'));
    await store.recover([test.record], recovery);
    same(await contents(store, 'a', 'b', 'c'), ['theirs', 'b', null], 'the files');
  },
};

const KEEPS_MODES: Cases = {
  'keeps the execute bit': async ({ store }) => {
    await publish(store, [{ path: 'run.sh', before: null, after: await executable() }]);
    same((await store.read('run.sh'))?.mode, '100755', 'the mode');
  },
};

const REFUSES_MODES: Cases = {
  'refuses the execute bit, which it would not give back': async ({ store }) => {
    const change = { path: 'run.sh', before: null, after: await executable() };
    const refusal = await store.stage([change]).then(() => 'staged', codeOf);
    same(refusal, 'INVALID_INPUT', 'the code of the refusal');
    same(await store.read('run.sh'), null, 'the file');
  },
};

async function executable(): Promise<StoredFile> {
  return { ...(await stored(text('#!/bin/sh\n'))), mode: '100755' };
}

/** The most steps into the publication of a file at which somebody else writes it, each time in a file of its own. */
const STEPS = 24;

async function later(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await null;
}

/** A change of three files that a crash cut off after staging. */
async function crashed(test: Tested): Promise<{ store: Store; recovery: Recovery }> {
  const { store } = test;
  await publish(store, [await change('a', null, text('old')), await change('c', null, text('gone'))]);
  const changes = [
    await change('a', await store.read('a'), text('new')),
    await change('b', null, text('b')),
    await change('c', await store.read('c'), null),
  ];
  const staged = await store.stage(changes);
  await staged.sync();
  test.record = JSON.parse(JSON.stringify(staged.record));
  if (!test.reopen) await staged.discard();
  const files = changes.flatMap(({ before, after }) => [before, after]);
  const blob = async (version: string): Promise<Uint8Array | null> =>
    files.find(file => file?.version === version)?.bytes ?? null;
  const recovery: Recovery = { boot: 'same', blob, isCurrent: async () => true };
  return { store: (await test.reopen?.()) ?? store, recovery };
}

async function publish(store: Store, changes: readonly StoreChange[]): Promise<void> {
  const staged = await store.stage(changes);
  await staged.sync();
  same(await staged.verify(), [], 'the paths that no longer hold what was expected');
  await staged.publish();
  await staged.settle();
  await staged.discard();
}

async function change(
  path: string,
  before: StoredFile | null,
  after: Uint8Array | null,
): Promise<StoreChange> {
  return { path, before, after: after && (await stored(after)) };
}

async function stored(bytes: Uint8Array): Promise<StoredFile> {
  return { bytes, mode: '100644', version: await versionOf(bytes) };
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

async function shown(store: Store, path: string): Promise<unknown> {
  const file = await store.read(path);
  return file && { bytes: [...file.bytes], mode: file.mode, version: file.version };
}

async function contents(store: Store, ...paths: string[]): Promise<Array<string | null>> {
  const found: Array<string | null> = [];
  for (const path of paths) {
    const file = await store.read(path);
    found.push(file && new TextDecoder().decode(file.bytes));
  }
  return found;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [given, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (given !== wanted) throw new Error(`${what}: expected ${wanted}, but the store answered ${given}`);
}
