import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { locate } from '../../../src/git/repository/repository.ts';
import {
  type LineEndRule,
  lineEndConfig,
  lineEndRule,
  lostLineEnds,
  toRecorded,
  toWorkTree,
} from '../../../src/git/rules/line-end-filter.ts';
import { attributesOf } from '../../../src/git/rules/path-rules.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';

/** Each is the attributes of all files of one folder. */
const ATTRIBUTES = [
  '',
  'text',
  '-text',
  'text=auto',
  'text=input',
  'text=other',
  'eol=lf',
  'eol=crlf',
  'eol=other',
  'text eol=lf',
  'text eol=crlf',
  'text=auto eol=lf',
  'text=auto eol=crlf',
  'text=input eol=crlf',
  '-text eol=crlf',
  'crlf',
  '-crlf',
  'crlf=input',
  'crlf=auto',
  '-text crlf',
  'text=auto crlf=input',
];

const CONFIGS = [
  {},
  { autocrlf: 'true' },
  { autocrlf: 'Input' },
  { eol: 'crlf' },
  { eol: 'lf', autocrlf: 'true' },
  { eol: 'CRLF', autocrlf: 'input' },
  { eol: 'native' },
];

const piece = fc.constantFrom(
  'a',
  '\n',
  '\n',
  '\r\n',
  '\r\n',
  '\r',
  '\0',
  '\x01',
  '\x1a',
  '\x1b[',
  '\x7f',
  'x'.repeat(200),
  '\u00e9',
);
const content = fc.array(piece, { maxLength: 8 }).map(pieces => Buffer.from(pieces.join('')));

/** Contents that chance finds too seldom. */
const CORNERS = ['', '\r\n', 'a\r\r\n', 'a\r\nb\n', '\x1a', `${'x'.repeat(127)}\x01\r\n`, 'a\r\n\0'];

interface Case {
  path: string;
  bytes: Buffer;
  /** What is recorded at the path before, as bytes. */
  before: Buffer | null;
}

function cases(seed: number, perFolder: number): Case[] {
  const sample = fc.sample(fc.tuple(content, fc.option(content)), {
    seed,
    numRuns: ATTRIBUTES.length * perFolder,
  });
  const all = sample.map(([bytes, before], i) => ({
    path: `d${i % ATTRIBUTES.length}/f${i}.x`,
    bytes,
    before,
  }));
  const corners = ATTRIBUTES.flatMap((_, d) =>
    CORNERS.map((text, i) => ({ path: `d${d}/c${i}.x`, bytes: Buffer.from(text), before: null })),
  );
  return [...all, ...corners];
}

/** A repository with these attributes and this config, and in its index what was recorded before. */
function prepared(config: Record<string, string>, list: readonly Case[]): Sandbox {
  const box = repository();
  for (const [key, value] of Object.entries(config)) box.git('config', `core.${key}`, value);
  box.git('config', 'core.safecrlf', 'false');
  for (const [i, attributes] of ATTRIBUTES.entries())
    box.write(`d${i}/.gitattributes`, `*.x ${attributes}\n`);
  const known = list.filter(one => one.before !== null);
  for (const { path, before } of known) box.write(path, before!);
  const paths = known.map(one => `${one.path}\n`).join('');
  const oids = box.pipe(paths, 'hash-object', '-w', '--no-filters', '--stdin-paths').toString().split('\n');
  const lines = known.map(({ path }, i) => `100644 ${oids[i]}\t${path}\n`).join('');
  box.pipe(lines, 'update-index', '--add', '--index-info');
  for (const { path, bytes } of list) box.write(path, bytes);
  return box;
}

/** What our rules make of each file, by path. */
async function ours(
  box: Sandbox,
  list: readonly Case[],
  make: (rule: LineEndRule | null, one: Case) => Promise<Uint8Array> | Uint8Array,
): Promise<Map<string, string>> {
  const repo = await locate(nodeFs(), box.dir);
  const config = lineEndConfig(repo.config, false);
  const attributes = attributesOf(repo);
  const made = new Map<string, string>();
  for (const one of list) {
    const rule = lineEndRule(await attributes.of(one.path), config);
    made.set(one.path, Buffer.from(await make(rule, one)).toString('latin1'));
  }
  return made;
}

/** The blobs of the index, by path. */
function recorded(box: Sandbox): Map<string, string> {
  const found = new Map<string, string>();
  const lines = box.git('ls-files', '-s').split('\n');
  const entries = lines.map(line => /^\d+ (\w+) 0\t(.*)$/.exec(line)!);
  const output = box.pipe(entries.map(entry => `${entry[1]}\n`).join(''), 'cat-file', '--batch');
  let at = 0;
  for (const [, , path] of entries) {
    const end = output.indexOf(10, at);
    const size = Number(output.subarray(at, end).toString().split(' ')[2]);
    found.set(path!, output.subarray(end + 1, end + 1 + size).toString('latin1'));
    at = end + 1 + size + 1;
  }
  return found;
}

describe.each(CONFIGS)('with %j', config => {
  test('what is recorded is what git add records, also over what was recorded before', async () => {
    const list = cases(1, 12);
    const box = prepared(config, list);
    const expected = await ours(box, list, (rule, { bytes, before }) =>
      toRecorded(rule, bytes, async () => before),
    );
    box.git('add', '-A', '--', '*.x');
    const found = recorded(box);
    for (const { path } of list) expect([path, expected.get(path)]).toEqual([path, found.get(path)]);
  });

  test('what a checkout writes is what git writes', async () => {
    const list = cases(2, 12).map(one => ({ ...one, before: one.bytes }));
    const box = prepared(config, list);
    const expected = await ours(box, list, (rule, { bytes }) => toWorkTree(rule, bytes));
    box.git('checkout-index', '-f', '-a');
    for (const { path } of list)
      expect([path, expected.get(path)]).toEqual([path, readFileSync(box.path(path), 'latin1')]);
  });
});

test('core.safecrlf=true refuses what git add refuses', async () => {
  const contents = ['a\n', 'a\r\n', 'a\n\r\nb', 'a\r\r\n', 'a\0\r\n', 'a'];
  const list = ATTRIBUTES.flatMap((_, d) =>
    contents.map((text, i) => ({ path: `d${d}/f${i}.x`, bytes: Buffer.from(text), before: null })),
  );
  for (const config of [{}, { autocrlf: 'true' }, { autocrlf: 'input' }]) {
    const box = prepared(config, list);
    const made = await ours(box, list, async (rule, { bytes }) => {
      const kept = await toRecorded(rule, bytes, async () => null);
      return Buffer.from(lostLineEnds(rule, bytes, kept !== bytes) ?? '');
    });
    box.git('config', 'core.safecrlf', 'true');
    const { stderr } = spawnSync(
      'git',
      ['-c', 'core.safecrlf=warn', 'add', '--', ...list.map(one => one.path)],
      {
        cwd: box.dir,
        env: { PATH: process.env.PATH, HOME: '/nonexistent' },
      },
    );
    const warned = new Map(
      [...String(stderr).matchAll(/in the working copy of '(.*)', (\w+) will be/g)].map(([, path, kind]) => [
        path,
        kind,
      ]),
    );
    for (const { path } of list) expect([path, made.get(path)]).toEqual([path, warned.get(path) ?? '']);
    expect(warned.size).toBeGreaterThan(10);
  }
});

test('nothing is copied where nothing changes', async () => {
  const bytes = Buffer.from('a\nb\n');
  const never = (): Promise<null> => Promise.reject(new Error('asked'));
  for (const rule of [
    null,
    { guess: true, checkout: 'lf' },
    { guess: false, checkout: 'crlf' },
  ] as LineEndRule[])
    expect(await toRecorded(rule, bytes, never)).toBe(bytes);
  expect(toWorkTree(null, bytes)).toBe(bytes);
  expect(toWorkTree({ guess: true, checkout: 'lf' }, bytes)).toBe(bytes);
});
