/** The panel: one of the views, below what it is about. What is read stays where it is when something comes. */

import { Component, createRef, type VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TimelineFile } from '../../../../queries/timeline.ts';
import type { ViewName } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { count, number, plain } from '../elements/text.ts';
import { Button, CopyButton, Dim, Path, Stat, visible } from '../elements/words.tsx';
import { parse } from '../model/diff.ts';
import { app, live } from '../parts.ts';
import { Details } from './details.tsx';
import { FileLines, FileSteps } from './file.tsx';
import { Review } from './review.tsx';

/** The panel beside the list. A new number of `visit` scrolls it to the beginning of what it shows. */
export class Panel extends Component<{ visit: number }> {
  readonly #panel = createRef<HTMLDivElement>();
  readonly #body = createRef<HTMLDivElement>();

  /** Returns where what is read stands on the screen. */
  override getSnapshotBeforeUpdate(): number {
    return this.#body.current?.getBoundingClientRect().top ?? 0;
  }

  override componentDidUpdate({ visit }: { visit: number }, _: object, top: number): void {
    const [panel, body] = [this.#panel.current, this.#body.current];
    if (!panel || !body) return;
    // What stands above may have grown by a line.
    if (visit === this.props.visit) panel.scrollTop += body.getBoundingClientRect().top - top;
    else panel.scrollTop = 0;
  }

  override render({ visit }: { visit: number }): VNode {
    if (app.state.view === 'review' && live.isIn) return <Review key={visit} />;
    return (
      <div
        id="panel"
        ref={this.#panel}
        role="tabpanel"
        tabIndex={0}
        aria-labelledby={`tab-${app.state.view}`}
      >
        <Details />
        <FileSteps />
        <div id="body" ref={this.#body}>
          <View key={`${app.state.view} ${visit}`} />
        </div>
      </div>
    );
  }
}

function View(): VNode {
  const { view } = app.state;
  if (view === 'review' || !live.isRead)
    return <Dim>{live.notice === '' ? 'Reading the history…' : 'Nothing could be read.'}</Dim>;
  if (app.story.entries.length === 0)
    return <p class="lead">Nothing was edited yet. The first edit will be here.</p>;
  const Shown = VIEWS[view];
  return <Shown />;
}

const VIEWS: Readonly<Record<Exclude<ViewName, 'review'>, () => VNode>> = {
  history: Changes,
  file: FileLines,
};

const KINDS: Readonly<Record<TimelineFile['kind'], string>> = {
  create: 'new',
  delete: 'deleted',
  move: 'moved',
  modify: '',
};

function Changes(): VNode {
  const { story, index, entry } = app;
  const { onlyFile } = app.state;
  if (index === null || entry === null) return <Dim>Choose an edit.</Dim>;
  const { files, other_files: others } = entry;
  if (files.length + others === 0) return <Dim>No file of this page was changed.</Dim>;
  return (
    <>
      {files.map((file, at) => {
        const { name } = story.filesOf(index)[at]!;
        return <ChangedFile file={file} name={name} isOpen={onlyFile === null || onlyFile === name} />;
      })}
      {others > 0 && <Dim>and {count(others, 'other file')}</Dim>}
    </>
  );
}

/** Draws the change of one file; `name`: the path as the file's story has it. */
function ChangedFile(props: { file: TimelineFile; name: string; isOpen: boolean }): VNode {
  const { file, name, isOpen } = props;
  return (
    <section class="file" aria-label={plain(file.path)}>
      <details open={isOpen}>
        <summary>
          {file.from !== null && [<Path path={file.from} />, ' → ']}
          <Path path={file.path} /> {file.kind !== 'modify' && <span class="badge">{KINDS[file.kind]}</span>}
          <Stat {...file} />
        </summary>
        <div class="actions">
          {file.diff && <CopyButton text={file.diff} what={`the diff of ${file.path}`} />}
          <Button onClick={() => app.openFile(name)} words="Line by line" />
        </div>
        <Diff file={file} />
      </details>
    </section>
  );
}

function Diff({ file: { path, diff, binary } }: { file: TimelineFile }): VNode {
  const hunks = useMemo(() => (diff === null ? [] : parse(diff)), [diff]);
  if (binary) return <Dim>Binary content: no lines to show.</Dim>;
  if (diff === null) return <Dim>This diff was left out to keep the page small.</Dim>;
  const modes = /\nold mode (\d+)\nnew mode (\d+)\n/.exec(diff.split('\n@@ ')[0]!);
  if (hunks.length === 0 && !modes) return <Dim>No line was changed.</Dim>;
  return (
    <>
      {modes && <Dim>{`Mode ${modes[1]} became ${modes[2]}.`}</Dim>}
      {hunks.map(({ newStart, heading, rows }) => (
        <>
          <div class="hunk">
            line {number(newStart)}
            {visible(heading && ` · ${heading}`)}
          </div>
          <Code label={`${path}, line ${newStart}`} rows={rows} path={path} />
        </>
      ))}
    </>
  );
}
