/** A file line by line at one of its steps: who wrote each line and why, and what that step added and removed. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { isHead } from '../../../../operations.ts';
import type { Row } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { count, firstLine, plain, shortPath } from '../elements/text.ts';
import { Button, Dim, Time, visible } from '../elements/words.tsx';
import { whole } from '../model/diff.ts';
import type { FileStory, LineOrigin } from '../model/file-story.ts';
import { app } from '../parts.ts';

/** Chooses the file and its step. It stays in place while the text below it changes. */
export function FileSteps(): VNode | null {
  const { story, file, step } = app;
  const options = useMemo(
    () => story.files.map(({ name }) => <option value={name}>{shortPath(name)}</option>),
    [story],
  );
  if (file === null || app.state.view !== 'file') return null;
  const { length } = file.steps;
  return (
    <div id="file-steps" role="group" aria-label="File and step">
      <select
        id="shown-file"
        aria-label="Shown file"
        value={file.name}
        onChange={event => app.openFile(event.currentTarget.value)}
      >
        {options}
      </select>
      <Button
        id="earlier"
        aria-label="Earlier edit of this file"
        title="Earlier (←)"
        onClick={() => app.stepBy(-1)}
        words="‹"
      />
      <span id="position" role="status">
        {step === 0 ? `before its ${count(length, 'edit')}` : `edit ${step} of ${length}`}
      </span>
      <Button
        id="later"
        aria-label="Later edit of this file"
        title="Later (→)"
        onClick={() => app.stepBy(1)}
        words="›"
      />
    </div>
  );
}

export function FileLines(): VNode {
  const { file, step } = app;
  if (file === null) return <Dim>Choose an edit of a file.</Dim>;
  const rows = rowsOf(file, step);
  if (rows === null || rows.length === 0) return <Dim>{emptyWords(file, step, rows !== null)}</Dim>;
  const origins = file.origins(step) ?? [];
  const originAt = (at: number): LineOrigin | undefined => origins[(rows[at]?.now ?? 0) - 1];
  return (
    <Code
      label={`${file.name} after ${step} of its edits, with the edit behind each line`}
      path={file.path}
      rows={rows}
      from={rows.findIndex(({ sign }) => sign !== ' ')}
      beside={at => <Source origin={originAt(at)} above={originAt(at - 1)} />}
    />
  );
}

/** Returns the lines after a step, with those that it removed; `null` where they are not in the page. */
function rowsOf(file: FileStory, step: number): Row[] | null {
  const [before, hunks] = step === 0 ? [file.before(0), []] : [file.before(step - 1), file.hunks(step - 1)];
  if (before && hunks) return whole(before, hunks);
  const after = step === 0 ? null : file.after(step);
  return after && whole(after, []);
}

function emptyWords(file: FileStory, step: number, isKnown: boolean): string {
  if (step === 0 && !file.exists(0)) return 'There was no such file yet.';
  if (step > 0 && file.steps[step - 1]!.change.binary) return 'Binary content: no lines to show.';
  return isKnown ? 'The file is empty.' : 'This text was left out to keep the page small.';
}

interface SourceProps {
  /** That of the line, and of the one above it; `undefined` for a line that the step removed. */
  origin: LineOrigin | undefined;
  above: LineOrigin | undefined;
}

/** Shows the edit beside the first line of an origin; beside the others is the colour alone. */
function Source({ origin, above }: SourceProps): VNode {
  const { story } = app;
  if (typeof origin !== 'object')
    return <span class="source dim tint-none">{origin !== above && origin}</span>;
  const { entry, source } = origin;
  const { op, commit, ...own } = story.entries[entry]!;
  const tint = source && !isHead(op) ? 'tint-none' : story.groupOf(entry).tint;
  if (origin === above) return <span class={`source ${tint}`} />;
  const why = source?.subject ?? (own.reason || own.subject);
  return (
    <button
      type="button"
      class={`source ${tint}`}
      title={plain(why)}
      onClick={() => app.choose(commit, 'history')}
    >
      <Time time={source?.time ?? own.time} as="brief" />{' '}
      <span class="name">{visible(source?.author ?? story.groupOf(entry).name)}</span>{' '}
      <span class="dim">{visible(firstLine(why))}</span>
    </button>
  );
}
