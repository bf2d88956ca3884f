/** The diff of the chosen entry, file by file. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TimelineFile } from '../../../../queries/timeline/files.ts';
import { Button } from '../elements/button.tsx';
import { Code } from '../elements/code.tsx';
import { count, number, plain } from '../elements/text.ts';
import { CopyButton, Dim, Path, Stat, visible } from '../elements/words.tsx';
import { parse } from '../model/diff.ts';
import { app } from '../parts.ts';

const KINDS: Readonly<Record<TimelineFile['kind'], string>> = {
  create: 'new',
  delete: 'deleted',
  move: 'moved',
  modify: '',
};

export function Changes(): VNode {
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
