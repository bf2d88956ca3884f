/**
 * Real histories of files, replayed as if every line that they took out had been rejected: how often a later step that
 * touches the place would be refused.
 */

import { execFileSync } from 'node:child_process';
import {
  lookAt,
  type PlacedLines,
  placedLines,
  type RejectedPlace,
  rejectedPlaces,
  timesRejected,
} from '../../../src/trail/history/rejected.ts';
import { Weave } from '../../../src/trail/history/weave.ts';

/** What a replay found. */
export interface Replayed {
  files: number;
  /** Places of rejections, and later steps that changed something in one of them or beside it. */
  places: number;
  touching: number;
  /** Steps that were refused; and those of them after which the file holds the lines no more often than before. */
  refused: number;
  elsewhere: number;
}

/** The newest versions of a file, so many. */
const MOST_VERSIONS = 250;

/** So many places of one file are watched at once, the newest. */
const MOST_OPEN = 60;

/** Replays the versions of one file, oldest first. */
export function replayRejections(versions: ReadonlyArray<readonly string[]>, found: Replayed): void {
  const weave = new Weave(versions[0] ?? []);
  const open: RejectedPlace[] = [];
  found.files++;
  for (const [at, text] of versions.entries()) {
    if (at === 0) continue;
    const before: PlacedLines = { lines: weave.live.map(({ token }) => token), rows: weave.live };
    const after = placedLines(weave, text);
    for (const place of open) {
      if (!touches(place, before, after)) continue;
      found.touching++;
      if (timesRejected(place, after) <= timesRejected(place, before)) continue;
      found.refused++;
      if (countOf(place, after.lines) <= countOf(place, before.lines)) found.elsewhere++;
    }
    weave.step({ id: `${at}`, kind: 'reject' }, text);
    const made = rejectedPlaces(weave, `${at}`).filter(({ added }) => added.length > 0);
    found.places += made.length;
    open.push(...made);
    open.splice(0, Math.max(0, open.length - MOST_OPEN));
  }
}

/** True where the place reads otherwise, one line on each side of it included. */
function touches(place: RejectedPlace, before: PlacedLines, after: PlacedLines): boolean {
  const reads = (text: PlacedLines): string => {
    const { start, end } = lookAt(place, text).gap;
    return text.lines.slice(Math.max(0, start - 1), end + 1).join('\n');
  };
  return reads(before) !== reads(after);
}

function countOf({ added }: RejectedPlace, lines: readonly string[]): number {
  const run = added.filter(line => line.trim() !== '');
  const all = lines.map(line => line.trimEnd()).filter(line => line !== '');
  return all.filter((_, at) => run.every((line, n) => all[at + n] === line)).length;
}

/** The versions of the files of a repository that were changed most often. */
export function* historiesOf(repository: string, most: number, below = '.'): Generator<string[][]> {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', repository, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const counts = new Map<string, number>();
  for (const path of git('log', '--no-merges', '--format=', '--name-only', '--', below).split('\n'))
    if (/\.(ts|js|mjs|md|py|go|rs|c|rb|json)$/.test(path) && !/lock|dist\//.test(path))
      counts.set(path, (counts.get(path) ?? 0) + 1);
  const often = [...counts].sort((a, b) => b[1] - a[1]).slice(0, most);
  for (const [path] of often) {
    const commits = git('log', '--first-parent', '--format=%H', '--reverse', '--', path).split('\n');
    const versions = commits.filter(Boolean).flatMap(commit => {
      try {
        return [git('show', `${commit}:${path}`).split('\n')];
      } catch {
        return [];
      }
    });
    if (versions.length > 2) yield versions.slice(-MOST_VERSIONS);
  }
}
