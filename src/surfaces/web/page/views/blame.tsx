/** The blame view: the edit that wrote each line of a file, at any step of its life. */

import type { VNode } from 'preact';
import { Block, haveOneLineEnd, Line, Portions } from '../elements/code.tsx';
import { firstLine, plain } from '../elements/text.ts';
import { Dim, Time, visible } from '../elements/words.tsx';
import type { FileStory } from '../model/file-story.ts';
import { app } from '../parts.ts';

export function Blame(): VNode {
  const { story, file, step } = app;
  if (file === null) return <Dim>Choose an edit of a file.</Dim>;
  if (!file.exists(step)) return <Dim>There is no such file at this step.</Dim>;
  const [lines, origins] = [file.after(step), file.origins(step)];
  if (lines === null || origins === null)
    return <Dim>This text is not in the page: it is binary, or was left out as too large.</Dim>;
  if (lines.length === 0) return <Dim>The file is empty.</Dim>;
  const hideReturn = haveOneLineEnd(lines.map(text => ({ text })));
  return (
    <Block label={`${file.name}, with the edit behind each line`} kind=" blame">
      <Portions
        items={lines}
        make={(text, at) => {
          const origin = origins[at]!;
          const entry = entryOf(file, origin);
          const beside = origins[at - 1] === origin ? <span class="source" /> : sourceOf(file, origin);
          const name = ` ${entry === null ? 'tint-none' : story.groupOf(entry).tint}`;
          const row = { sign: ' ', old: null, now: at + 1, text } as const;
          return <Line {...{ row, hideReturn, beside, name }} />;
        }}
      />
    </Block>
  );
}

/** Returns the entry that a line is drawn as: the one that wrote it, or the sync that brought it. */
function entryOf(file: FileStory, origin: number): number | null {
  if (origin >= 0) return file.steps[origin]!.entry;
  const source = file.sourceOf(origin);
  if (!source || source.entry !== null) return source?.entry ?? null;
  const { entry } = file.steps[source.step]!;
  return app.story.kindOf(entry) === 'sync' ? entry : null;
}

/** Shows the edit beside the first line of an origin; beside the others is the colour alone. */
function sourceOf(file: FileStory, origin: number): VNode {
  const { story } = app;
  const source = file.sourceOf(origin);
  if (origin < 0 && !source)
    return <span class="source dim">{origin === -1 ? 'before these edits' : 'not in this page'}</span>;
  const entry = source?.entry ?? file.steps[source?.step ?? origin]!.entry;
  const isEntry = source === null || source.entry !== null;
  const { time, reason, subject } = isEntry ? story.entries[entry]! : { ...source, reason: '' };
  const { commit } = story.entries[entry]!;
  const who = isEntry ? story.groupOf(entry).name : source.author;
  const why = reason || subject;
  return (
    <button type="button" class="source" title={plain(why)} onClick={() => app.choose(commit, 'changes')}>
      <Time time={time} as="brief" /> <span class="name">{visible(who)}</span>{' '}
      <span class="dim">{visible(firstLine(why))}</span>
    </button>
  );
}
