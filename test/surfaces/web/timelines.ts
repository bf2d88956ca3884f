/** Timelines made by hand, for what an engine would not record. */

import type { Timeline, TimelineEntry, TimelineFile } from '../../../src/queries/timeline.ts';

export function timelineOf(
  entries: ReadonlyArray<Partial<TimelineEntry>>,
  more: Partial<Timeline> = {},
): Timeline {
  return {
    name: 'shop',
    trail: 'vedit/main',
    head: null,
    time: '2026-11-20T12:00:00.000Z',
    entries: entries.map(entryOf),
    more: false,
    left_out: 0,
    ...more,
  };
}

function entryOf(entry: Partial<TimelineEntry>, at: number): TimelineEntry {
  return {
    commit: String(at + 1000).repeat(10),
    parents: [],
    time: '2026-11-20T10:00:00.000Z',
    author: 'fixer',
    subject: 'str_replace a.txt (+1 -1)',
    reason: '',
    op: 'str_replace',
    paths: [],
    session: 's1',
    agent: 'fixer',
    model: null,
    client: null,
    subagent: null,
    turn: null,
    certain: null,
    edit_id: null,
    call_id: null,
    head: null,
    base: null,
    status: { now: 'open', by: null, landed_in: null, lines: {} },
    brought_by: null,
    became: '',
    undoes: [],
    redoes: [],
    restores: null,
    files: [],
    other_files: 0,
    ...entry,
  };
}

export function fileOf(file: Partial<TimelineFile>): TimelineFile {
  return {
    kind: 'modify',
    path: 'a.txt',
    from: null,
    added: 1,
    removed: 1,
    binary: false,
    diff: '',
    ...file,
  };
}
