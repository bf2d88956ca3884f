/** The whole file at one step of its life, with what that step added and removed. */

import type { VNode } from 'preact';
import type { Row } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { Dim } from '../elements/words.tsx';
import { fold, whole } from '../model/diff.ts';
import type { FileStory } from '../model/file-story.ts';
import { app } from '../parts.ts';

/** Longer files show only this many lines beside each change. */
const LONG = 3000;
const NEAR = 100;

export function Replay(): VNode {
  const { file, step } = app;
  if (file === null) return <Dim>Choose an edit of a file.</Dim>;
  const rows = rowsOf(file, step);
  const notes = notesOf(file, step, rows);
  return (
    <>
      {notes.map(note => (
        <Dim>{note}</Dim>
      ))}
      {rows !== null && rows.length > 0 && (
        <Code
          label={`${file.name} after ${step} of its edits`}
          path={file.path}
          rows={rows.length > LONG ? fold(rows, NEAR) : rows}
        />
      )}
    </>
  );
}

function rowsOf(file: FileStory, step: number): Row[] | null {
  const [before, hunks] = step === 0 ? [file.before(0), []] : [file.before(step - 1), file.hunks(step - 1)];
  if (before && hunks) return whole(before, hunks);
  const after = step === 0 ? null : file.after(step);
  return after && whole(after, []);
}

function notesOf(file: FileStory, step: number, rows: readonly Row[] | null): string[] {
  const change = step === 0 ? null : file.steps[step - 1]!.change;
  if (step === 0 && !file.exists(0)) return ['There was no such file yet.'];
  if (change?.binary) return ['Binary content: no lines to show.'];
  if (rows === null) return ['This text was left out to keep the page small.'];
  const isApart = change !== null && step > 1 && change.since !== '';
  return [
    ...(isApart ? ['Since the step before, commits that are not in this page changed the file too.'] : []),
    ...(rows.length === 0 ? ['The file is empty.'] : []),
  ];
}
