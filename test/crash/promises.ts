/**
 * The ten promises of the write protocol, checked on a state. Each broken one is a line that begins with its number:
 * I1 git fsck, I2 the log from the same root, I3 the ref, I4 acknowledged commits, I5 the files, I6 the index and what
 * is a person's, I7 nothing lies around, I8 the next edit, I9 everything else, I10 the answer.
 */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { EditError } from '../../src/errors.ts';
import type { FaultHarness, Outcome } from './fault-harness.ts';
import { readImage } from './image.ts';
import { indexLies, type Snapshot } from './snapshot.ts';

/** What has to hold of a state that nobody repaired yet. */
export function checkUnrepaired(harness: FaultHarness, outcome: Outcome): string[] {
  const snapshot = harness.snapshot();
  const published = isPublished(harness, snapshot);
  return [
    ...gitsOwn(harness, snapshot),
    ...eitherOr('I5', harness.old.now.work, harness.new.now.work, snapshot.work),
    ...eitherOr('I3', harness.old.now.git, harness.new.now.git, snapshot.git),
    ...(sameIndex(harness.old.now, snapshot) || sameIndex(harness.new.now, snapshot)
      ? []
      : ['I6 the index is neither']),
    ...goneObjects(harness.old.now, snapshot),
    ...(outcome.acknowledged && !published ? ['I4 an acknowledged commit is not on the trail'] : []),
    ...answeredWell(outcome, published),
  ];
}

/** What has to hold right after a call that was not interrupted: nothing is half done, no lock is left. */
export function checkAnswered(harness: FaultHarness, outcome: Outcome): string[] {
  const snapshot = harness.snapshot();
  const broken = checkUnrepaired(harness, outcome);
  if (outcome.warnings.length > 0) return broken;
  const expected = outcome.acknowledged ? harness.new.now : harness.old.now;
  // What could not be made durable in its own place stays in the journal, for whoever comes next.
  const lines = leftBehind(snapshot);
  const left = lines.filter(line => !JOURNAL.test(line));
  return [...broken, ...differences(expected, snapshot, FAULT), ...left];
}

/** With it stays why it could not be made durable in its own place. */
const JOURNAL = /vedit\/(journal\.\d+|unsettled) /;

/** What the next process has to tell: a checkpoint failed, or what was set aside is in place now. */
const TOLD = /could not be made durable in its own place|was set aside, and holds its newest edit now/;

/** What may be different after a fault without a promise being broken. */
export interface Leeway {
  /** An empty folder that could not be removed. */
  folders?: true;
  /** Lines at the end of a reflog, which git does not sync either. */
  logs?: true;
}

/** A call failed. */
export const FAULT: Leeway = { folders: true, logs: true };
/** The power went. */
export const CUT: Leeway = { logs: true };

/** What has to hold after the next edit of a new process, which repairs first. `published`: before the repair. */
export function checkRepaired(
  harness: FaultHarness,
  published: boolean,
  next: Outcome,
  leeway: Leeway = {},
): string[] {
  if (!next.acknowledged) return [`I8 the next edit failed: ${String((next.error as Error).message)}`];
  const tree = readImage(harness.dir);
  const snapshot = harness.snapshot(tree);
  const expected = published ? harness.new.next : harness.old.next;
  return [
    ...gitsOwn(harness, snapshot),
    ...differences(expected, snapshot, leeway),
    ...leftBehind(snapshot),
    ...indexLies(tree, harness.dir, harness.scenario.place.gitDir),
    ...next.warnings.filter(words => !TOLD.test(words)).map(words => `I8 the next edit warned: ${words}`),
  ];
}

/** True when the refs are those that the operation leaves. */
export function isPublished(harness: FaultHarness, snapshot: Snapshot): boolean {
  return sameMap(harness.new.now.git, snapshot.git);
}

function answeredWell({ acknowledged, error }: Outcome, published: boolean): string[] {
  if (acknowledged || (error as Error)?.name === 'CrashError') return [];
  if (!(error instanceof EditError)) return [`I10 the error is not clear: ${String(error)}`];
  if (error.cause instanceof Error && error.cause.name === 'CrashError') return [];
  return published ? ['I10 it failed, and is published'] : [];
}

/** The answers of git by all that it reads: many crashes leave the same. */
const known = new Map<string, string[]>();

/** I1, I2. */
export function gitsOwn(harness: FaultHarness, snapshot: Snapshot): string[] {
  const key = `${harness.dir} ${snapshot.fingerprint}`;
  const answers = known.get(key) ?? askGit(join(harness.dir, harness.scenario.place.gitDir));
  known.set(key, answers);
  return answers;
}

function askGit(gitDir: string): string[] {
  const git = (...args: string[]) => spawnSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8' });
  const fsck = git('fsck', '--strict', '--no-dangling', '--no-progress');
  const roots = git('rev-list', '--all', '--max-parents=0');
  const notes = /^notice: (HEAD points to an unborn branch|No default references).*\n?/gm;
  const said = (fsck.stderr + fsck.stdout).replace(notes, '').trim();
  const broken = said === '' && fsck.status === 0 ? [] : [`I1 git fsck: ${said}`];
  if (roots.status !== 0) broken.push(`I2 git log: ${roots.stderr.trim()}`);
  if (roots.stdout.trim().split('\n').length > 1) broken.push('I2 the log has another root');
  return broken;
}

/** I3, I5, I6, I9: exactly what a run without faults leaves; objects that nothing needs may be there too. */
export function differences(expected: Snapshot, actual: Snapshot, leeway: Leeway): string[] {
  const logs = leeway.logs ? [] : [...expected.logs];
  return [
    ...eitherOr('I5', expected.work, expected.work, actual.work, !leeway.folders),
    ...eitherOr('I3', expected.git, expected.git, actual.git),
    ...(sameIndex(expected, actual) ? [] : ['I6 the index is not what it should be']),
    ...goneObjects(expected, actual),
    ...logs.flatMap(([path, text]) => missingLines(path, text, actual.logs.get(path) ?? '')),
    ...[...actual.logs].flatMap(([path, text]) => gluedLines(path, text)),
  ];
}

function missingLines(path: string, expected: string, actual: string): string[] {
  const lines = new Set(actual.split('\n'));
  return expected
    .split('\n')
    .filter(line => !lines.has(line))
    .map(line => `I9 ${path} has lost ${line}`);
}

/** A move that did not come about may be noted, as git itself does; half a line, which git skips, stands alone. */
function gluedLines(path: string, actual: string): string[] {
  return actual
    .split('\n')
    .filter(line => line.length > HALF_LINE && !REFLOG_LINE.test(line))
    .map(line => `I9 ${path} is torn: ${line}`);
}

const REFLOG_LINE = /^[0-9a-f]{40} [0-9a-f]{40} [^\t]*<[^<>]*> \d+ [+-]\d{4}(\t|$)/;

/** In characters: no line of these tests is shorter. */
const HALF_LINE = 120;

/** Each name has the one or the other value. */
function eitherOr(
  word: string,
  one: Map<string, string>,
  other: Map<string, string>,
  actual: Map<string, string>,
  folders = false,
): string[] {
  const names = new Set([...one.keys(), ...other.keys(), ...actual.keys()]);
  return [...names].flatMap(name => {
    const is = actual.get(name);
    if (is === one.get(name) || is === other.get(name)) return [];
    const isFolder = [is, one.get(name), other.get(name)].includes('folder');
    return !folders && isFolder ? [] : [`${word} ${name} is ${is ?? 'missing'}`];
  });
}

/** Their content is what git fsck looks at: the same object may be packed otherwise when it is written again. */
function goneObjects(expected: Snapshot, actual: Snapshot): string[] {
  return [...expected.objects]
    .filter(name => !actual.objects.has(name))
    .map(name => `I9 an object is gone: ${name}`);
}

function leftBehind({ residue }: Snapshot): string[] {
  return residue.map(path => `I7 ${path} lies around`);
}

function sameMap(a: Map<string, string>, b: Map<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}

function sameIndex(a: Snapshot, b: Snapshot): boolean {
  return JSON.stringify(a.index) === JSON.stringify(b.index);
}
