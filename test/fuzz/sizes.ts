/**
 * Files, lines, changes and patterns as large as they come, through every kind of call and the command line: each is
 * answered within limits, or refused. The short form is a fraction of the sizes that the long one tries.
 */

import { ERROR_CODES } from '../../src/errors.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { type Answering, answeringHere } from './answering.ts';
import type { Tally } from './tally.ts';

/** 1: a million lines, a line of 50 MB, a file of 64 MiB, 10,000 edits. Below 1, fewer calls are made as well. */
export type Scale = number;

type Call = readonly [tool: string, input: Record<string, unknown>];

export interface SizeCase {
  name: string;
  files: Record<string, string>;
  calls: readonly Call[];
  /** Command lines after the calls, with colours. */
  commands?: ReadonlyArray<readonly string[]>;
}

const READ: readonly Call[] = [
  ['view', { path: 'f.txt' }],
  ['diff', {}],
  ['show', {}],
  ['blame', { path: 'f.txt' }],
  ['log', { path: 'f.txt' }],
  ['undo', {}],
  ['redo', {}],
  ['rollback', { commit: '~1', dry_run: true }],
];

const COMMANDS = [
  ['blame', 'f.txt'],
  ['view', 'f.txt'],
  ['diff'],
  ['show'],
  ['log', '-p', '--stat'],
  ['diff', '--json'],
];

export function sizeCases(scale: Scale): SizeCase[] {
  const all = [
    manyLines(scale),
    noLineBreaks(scale),
    fullFile(scale),
    ...manyEdits(scale),
    ...patterns(scale),
  ];
  return scale < 1 ? all.map(shortened) : all;
}

/** Without the calls that only read what others have read. */
function shortened(one: SizeCase): SizeCase {
  const calls = one.calls.filter(call => !READ.includes(call) || call[0] === 'blame');
  const commands = (one.commands ?? []).filter(([name]) => name === 'blame' || name === 'diff');
  return { ...one, calls: calls.slice(0, 6), commands: commands.slice(0, 1) };
}

function manyLines(scale: Scale): SizeCase {
  const count = Math.max(150_000, 1_000_000 * scale);
  const text = Array.from({ length: count }, (_, n) => `the quick brown fox ${n}\n`).join('');
  const patch = Array.from({ length: 1000 }, (_, n) => {
    const line = Math.floor((n * count) / 1000) + 1;
    return `@@ -${line} +${line} @@\n-the quick brown fox ${line - 1}\n+patched ${n}\n`;
  });
  return {
    name: `${count} lines`,
    files: { 'f.txt': text },
    calls: [
      ['str_replace', { path: 'f.txt', old_str: 'fox 7\n', new_str: 'FOX\n' }],
      ['str_replace', { path: 'f.txt', old_str: 'fox none\n', new_str: '' }],
      ['str_replace', { path: 'f.txt', old_str: 'the quick', new_str: '' }],
      ['str_replace', { path: 'f.txt', old_str: 'quick', new_str: 'slow', replace_all: true }],
      ...READ,
      ['undo', {}],
      ['insert', { path: 'f.txt', insert_line: 3, insert_text: text.slice(0, text.length / 4) }],
      ['unified_diff', { patch: `--- a/f.txt\n+++ b/f.txt\n${patch.join('')}` }],
      ['revert', { commit: '~1' }],
    ],
    commands: COMMANDS,
  };
}

function noLineBreaks(scale: Scale): SizeCase {
  const half = Math.max(500_000, 25_000_000 * scale);
  return {
    name: `one line of ${half * 2} characters`,
    files: { 'f.txt': `${'x'.repeat(half)}needle${'y'.repeat(half)}` },
    calls: [
      ['str_replace', { path: 'f.txt', old_str: 'needle', new_str: 'NEEDLE' }],
      ['str_replace', { path: 'f.txt', old_str: `${'x'.repeat(half / 2)}z`, new_str: '' }],
      ['str_replace', { path: 'f.txt', old_str: 'xx', new_str: '' }],
      ['context_patch', { path: 'f.txt', patch_text: `@@\n-${'x'.repeat(1000)}\n+y` }],
      ...READ,
    ],
    commands: COMMANDS,
  };
}

const LARGEST = 64 * 1024 * 1024;

/** The largest file is the same in both forms: what is over it is refused before it is looked at. */
function fullFile(scale: Scale): SizeCase {
  const size = scale < 1 ? 1024 * 1024 : LARGEST;
  return {
    name: `a file of ${size} bytes`,
    files: { 'f.txt': 'abcdefg\n'.repeat(size / 8) },
    calls: [
      ['replace_lines', { path: 'f.txt', start_line: 2, end_line: 3, new_content: 'of the same size' }],
      ['create', { path: 'g.txt', file_text: 'x'.repeat(LARGEST + 1) }],
      ['create', { path: 'g.txt', file_text: 'x\n'.repeat(size / 2) }],
      ['create', { path: 'g.txt', file_text: 'y\n'.repeat(size / 2), overwrite: true }],
      ['view', { path: 'g.txt' }],
      ['undo', {}],
    ],
  };
}

function manyEdits(scale: Scale): SizeCase[] {
  const count = Math.max(300, 10_000 * scale);
  const each = <T>(make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
  const replace = (n: number): object => ({
    edit: 'str_replace',
    path: 'f.txt',
    old_str: `line ${n};`,
    new_str: `LINE ${n};`,
  });
  const create = (n: number): object => ({
    edit: 'create',
    path: `d${n % 100}/f${n}.txt`,
    file_text: `x${n}\n`,
  });
  return [
    {
      name: `${count} edits of one file in a change`,
      files: { 'f.txt': each(n => `line ${n};\n`).join('') },
      calls: [
        ['change', { edits: each(replace) }],
        ['undo', {}],
        ['view', { path: 'f.txt' }],
        [
          'edit_lines',
          { path: 'f.txt', edits: each(n => ({ from: n + 1, to: n + 1, content: `new ${n}\n` })) },
        ],
      ],
    },
    {
      name: `${count} files in a change`,
      files: { 'f.txt': 'x\n' },
      calls: [
        ['change', { edits: each(create) }],
        ['undo', {}],
        ['verify', {}],
      ],
      commands: [
        ['show', '--stat'],
        ['log', '--stat'],
      ],
    },
  ];
}

/** What makes a search for the nearest text, a placing of hunks or a diff go over everything for everything. */
function patterns(scale: Scale): SizeCase[] {
  const count = Math.max(20_000, 200_000 * scale);
  const same = 'same line\n';
  const half = 'a\n'.repeat(count / 4) + 'b\n'.repeat(count / 4);
  const other = 'b\n'.repeat(count / 4) + 'a\n'.repeat(count / 4);
  const lines = Array.from({ length: count }, (_, n) => `line ${(n * 7919) % (count / 2)}\n`);
  const hunk = (n: number): string =>
    `@@ -${n * 5 + 2},3 +${n * 5 + 2},3 @@\n same line\n-same line\n+z\n same line\n`;
  return [
    {
      name: `${count} equal lines`,
      files: {
        'f.txt': same.repeat(count),
        'a.txt': 'a'.repeat(count * 10),
        'w.txt': ' '.repeat(count * 10),
      },
      calls: [
        ['str_replace', { path: 'f.txt', old_str: `${same.repeat(count - 1000)}other\n${same.repeat(900)}` }],
        ['str_replace', { path: 'f.txt', old_str: `  ${same}`.repeat(count / 2) }],
        ['str_replace', { path: 'f.txt', old_str: same.repeat(1000) }],
        ['str_replace', { path: 'a.txt', old_str: `${'a'.repeat(count)}b${'a'.repeat(count)}` }],
        ['str_replace', { path: 'w.txt', old_str: `${' '.repeat(count)}b` }],
        ['context_patch', { path: 'f.txt', patch_text: `@@\n${` ${same}`.repeat(5000)}-other\n+z\n` }],
        ['context_patch', { path: 'f.txt', patch_text: `@@\n ${same}-${same}+z\n`.repeat(2000) }],
        [
          'search_replace',
          { path: 'f.txt', blocks: `<<<<<<< SEARCH\n${same.repeat(5000)}other\n=======\n>>>>>>> REPLACE\n` },
        ],
        [
          'unified_diff',
          { patch: `--- a/f.txt\n+++ b/f.txt\n${Array.from({ length: 2000 }, (_, n) => hunk(n)).join('')}` },
        ],
        ...READ,
      ],
    },
    {
      name: `${count} lines in another order`,
      files: { 'f.txt': lines.join(''), 'g.txt': half },
      calls: [
        ['create', { path: 'f.txt', file_text: [...lines].reverse().join(''), overwrite: true }],
        ...READ,
        ['create', { path: 'g.txt', file_text: other, overwrite: true }],
        ['str_replace', { path: 'g.txt', old_str: 'a\nb\n'.repeat(count / 8) }],
        ['create', { path: 'g.txt', file_text: half, overwrite: true }],
        ['revert', { commit: '~1' }],
        ['undo', {}],
      ],
      commands: COMMANDS,
    },
  ];
}

/** What a call may take: seconds, and bytes of memory of the process that answers it. */
export interface SizeLimits {
  seconds: number;
  memory: number;
}

/** Runs the cases. An answer that is no answer, or a long one, is lost; so is what takes more than the limits. */
export async function trySizes(
  cases: readonly SizeCase[],
  answering: (repo: Place) => Promise<Answering> = answeringHere,
  limits: SizeLimits = { seconds: Number.POSITIVE_INFINITY, memory: Number.POSITIVE_INFINITY },
): Promise<Tally> {
  const lost: string[] = [];
  const times: Array<readonly [seconds: number, name: string]> = [];
  let most = 0;
  const timed = async (name: string, work: () => Promise<string | null>): Promise<void> => {
    const start = performance.now();
    const fault = await work();
    const seconds = (performance.now() - start) / 1000;
    times.push([seconds, name]);
    if (fault) lost.push(`${name}: ${fault}`);
    if (seconds > limits.seconds) lost.push(`${name}: ${seconds.toFixed(0)} seconds`);
  };
  for (const one of cases) {
    const repo = personRepo(one.files);
    const answers = await answering(repo);
    for (const call of one.calls) await timed(`${one.name}, ${call[0]}`, () => tryCall(answers, call));
    for (const args of one.commands ?? [])
      await timed(`${one.name}, vedit ${args.join(' ')}`, () => tryCommand(answers, args));
    const memory = await answers.end();
    most = Math.max(most, memory);
    if (!(memory <= limits.memory)) lost.push(`${one.name}: ${mebibytes(memory)} of memory`);
    const fsck = repo.git('fsck', '--strict', '--no-dangling');
    if (fsck !== '') lost.push(fsck);
  }
  const slowest = times.sort(([a], [b]) => b - a).slice(0, 3);
  const words = slowest.map(([seconds, name]) => `${seconds.toFixed(1)} s (${name})`);
  return {
    name: 'sizes',
    tried: times.length,
    lost,
    notes: `slowest ${words.join(', ')}; at most ${mebibytes(most)} of memory`,
  };
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

/** Characters of an answer as JSON; a diff and a text of a million are in it. */
const LONGEST_ANSWER = 8_000_000;

async function tryCall(answers: Answering, [tool, input]: Call): Promise<string | null> {
  const result = await answers.call(tool, input);
  const size = JSON.stringify(result).length;
  if (size > LONGEST_ANSWER || result.message.length > 70_000) return `${size} characters of answer`;
  if (result.ok) return null;
  const known = result.code in ERROR_CODES && !['INTERNAL_ERROR', 'STORE_FAILED'].includes(result.code);
  return known ? null : `${result.code}: ${result.message}`;
}

async function tryCommand(answers: Answering, args: readonly string[]): Promise<string | null> {
  const { code, characters, err } = await answers.command([...args, '--color=always']);
  return code !== 0 || characters === 0 ? `exit ${code}: ${err.slice(0, 300)}` : null;
}
