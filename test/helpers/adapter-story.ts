/**
 * One story that every adapter has to tell in its framework's words: an agent looks, asks for an edit that fits twice,
 * repairs it, gives a line number after a person moved the lines, looks again, and takes its last edit back.
 */

import { expect } from 'vitest';
import { type Place, personRepo } from './person-repo.ts';
import { succeeds } from './real-git.ts';

export const START = 'const rate = 0.19;\nlog(rate);\nlog(rate);\n';

/** A repository of Ada's, with one file in it. */
export function shop(): Place {
  return personRepo({ 'src/cart.js': START });
}

/** One call of a model, in the words of the engine, and what must come back. */
export interface Turn {
  tool: 'view' | 'str_replace' | 'insert' | 'undo';
  input: Record<string, unknown>;
  /** What happens before the model speaks. */
  before?: (repo: Place) => void;
  /** In the text that the model reads. */
  says: RegExp;
  refused?: true;
}

const path = 'src/cart.js';

export const TURNS: readonly Turn[] = [
  { tool: 'view', input: { path }, says: /2\tlog\(rate\);/ },
  {
    tool: 'str_replace',
    input: { path, old_str: 'log(rate);', new_str: 'show(rate);' },
    says: /occurs 2 times.*lines 2 and 3/s,
    refused: true,
  },
  {
    tool: 'str_replace',
    input: { path, old_str: '0.19;\nlog(rate);', new_str: '0.19;\nshow(rate);' },
    says: /2\tshow\(rate\);/,
  },
  {
    tool: 'insert',
    input: { path, insert_line: 2, insert_text: 'stop();' },
    before: repo => repo.write(path, `// Ada\n${repo.read(path)}`),
    says: /STALE/,
    refused: true,
  },
  { tool: 'view', input: { path }, says: /1\t\/\/ Ada/ },
  { tool: 'insert', input: { path, insert_line: 3, insert_text: 'stop();' }, says: /4\tstop\(\);/ },
  { tool: 'undo', input: {}, says: /undo done/ },
];

export interface Expected {
  agent: string;
  /** The ids that the framework gave to the calls that made commits, where it does. */
  calls?: readonly string[];
  ops?: readonly string[];
  text?: string;
}

const OPS = ['str_replace', 'outside', 'insert', 'undo'];
const END = '// Ada\nconst rate = 0.19;\nshow(rate);\nlog(rate);\n';

/** What plain git has to say of it afterwards. */
export function checkTrail(repo: Place, { agent, calls, ops = OPS, text = END }: Expected): void {
  const log = (format: string): string[] =>
    repo.git('log', '--reverse', `--format=${format}`, 'main..vedit/main').split('\n');
  expect(log('%(trailers:key=Vedit-Op,valueonly,separator=%x2C)')).toEqual(ops);
  expect(new Set(log('%an'))).toEqual(new Set([agent, 'outside']));
  if (calls) expect(callsOf(repo)).toEqual(calls);
  expect(`${repo.git('show', 'vedit/main:src/cart.js')}\n`).toBe(text);
  expect(repo.read(path)).toBe(text);
  expect(repo.git('diff', '--stat', 'vedit/main~2', 'vedit/main')).toBe('');
  expect(repo.git('log', '-1', '--format=%s', 'main')).toBe('start');
  expect(succeeds(repo, 'fsck', '--strict')).toBe(true);
}

/** Of the three edits; what a person did has no id. */
function callsOf(repo: Place): string[] {
  const text = repo.git(
    'log',
    '--reverse',
    '--format=%(trailers:key=Vedit-Call,valueonly)',
    'main..vedit/main',
  );
  return text.split('\n').filter(line => line !== '');
}
