/** A file line by line at one of its steps: who wrote each line and why, and what that step added and removed. */

import type { VNode } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { TimelineFile } from '../../../../queries/timeline.ts';
import type { FileAt } from '../../server/answers.ts';
import type { Row } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { firstLine, plain, shortPath } from '../elements/text.ts';
import { useAnswer } from '../elements/use-answer.ts';
import { Button, Dim, Time, visible } from '../elements/words.tsx';
import { parse, whole } from '../model/diff.ts';
import { type Story, tintOf } from '../model/story.ts';
import { app, live } from '../parts.ts';

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
        edit {step} of {length}
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
  const { story, file, step } = app;
  const change = file?.steps[step - 1]?.change;
  const { commit = '' } = app.entry ?? {};
  const isThere = change && !change.binary && change.kind !== 'delete';
  const path = change?.path ?? '';
  const read = useAnswer(isThere && `${commit} ${path}`, () => live.net.read('lines', { path, commit }));
  const rows = useMemo(() => (change && read?.ok ? rowsOf(read as never, change) : []), [read]);
  useLayoutEffect(() => {
    document.querySelector('#body :is(.plus-line, .minus-line)')?.scrollIntoView({ block: 'center' });
  }, [rows]);
  if (!isThere)
    return <Dim>{change ? NO_LINES[change.binary ? 'binary' : 'delete'] : 'Choose an edit of a file.'}</Dim>;
  if (!read?.ok) return <Dim>{read ? firstLine(read.message) : 'Reading the file…'}</Dim>;
  if (rows.length === 0) return <Dim>The file is empty.</Dim>;
  const { by, writers } = read as unknown as FileAt;
  const writerAt = (at: number): Writer | undefined => writers[by[(rows[at]?.now ?? 0) - 1] ?? -1];
  return (
    <Code
      label={`${path} after edit ${step}, with the edit behind each line`}
      {...{ path, rows }}
      from={rows.findIndex(({ sign }) => sign !== ' ')}
      beside={at => <Source story={story} writer={writerAt(at)} above={writerAt(at - 1)} />}
    />
  );
}

const NO_LINES = {
  binary: 'Binary content: no lines to show.',
  delete: 'This edit deleted the file.',
} as const;

/** Returns the lines after an edit, with those that it removed. */
function rowsOf({ lines }: FileAt, { diff }: TimelineFile): Row[] {
  return whole(
    lines.map(line => `${line}\n`),
    parse(diff ?? ''),
  );
}

type Writer = FileAt['writers'][number];

interface SourceProps {
  story: Story;
  /** The writer of the line, and of the one above it; `undefined` for a line that the edit removed. */
  writer: Writer | undefined;
  above: Writer | undefined;
}

/** Shows the edit beside its first line; beside the others is the colour alone. */
function Source({ story, writer, above }: SourceProps): VNode {
  if (!writer) return <span class="source tint-none" />;
  const { commit, time, agent, author, reason } = writer;
  const index = story.indexOf(commit);
  const name = index === null ? (agent ?? author) : story.groupOf(index).name;
  const tint = index !== null ? story.groupOf(index).tint : agent === null ? 'tint-none' : tintOf(agent);
  if (writer === above) return <span class={`source ${tint}`} />;
  const why = reason || (index === null ? '' : story.entries[index]!.subject);
  const words = (
    <>
      <Time time={time} as="brief" /> <span class="name">{visible(name)}</span>{' '}
      <span class="dim">{visible(firstLine(why))}</span>
    </>
  );
  if (index === null)
    return (
      <span class={`source ${tint}`} title={plain(why)}>
        {words}
      </span>
    );
  return (
    <Button
      class={`source ${tint}`}
      title={plain(why)}
      onClick={() => app.choose(commit, 'history')}
      words={words}
    />
  );
}
