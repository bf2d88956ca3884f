/** The actions below what is shown, the answer to the last one, and the window that asks for a text. */

import type { ComponentChildren, VNode } from 'preact';
import type { ErrorDataByCode, FileConflict } from '../../../../errors.ts';
import { Code } from '../elements/code.tsx';
import { firstLine, number } from '../elements/text.ts';
import { Button, Path, paragraph, visible } from '../elements/words.tsx';
import type { Said } from '../live/actions.ts';
import { lines, rowsOf } from '../model/diff.ts';
import { actions, app, reviewing } from '../parts.ts';
import { EntryLink } from './details.tsx';

/** Conflicts, their places, and entries that an answer names at most. */
const MOST = { conflicts: 3, entries: 5 };

export function Foot(): VNode {
  return (
    <div class="foot">
      {actions.said && <Answer said={actions.said} />}
      {!actions.readOnly && <Acts />}
    </div>
  );
}

function Acts(): VNode {
  const { can } = actions;
  return (
    <div id="acts" class="acts" role="toolbar" aria-label="Actions">
      {app.state.view !== 'review' && (
        <>
          <Act id="act-revert" isAble={can.revert} run={() => actions.revert()} words="Take out" letter="u" />
          <Act id="act-restore" isAble={can.restore} run={() => actions.restore()} words="Restore…" />
          <Act id="act-undo" isAble={can.undo} run={() => void actions.undo()} words="Undo newest…" />
        </>
      )}
      <Act id="act-land" isAble run={() => actions.land()} words="Land…" letter="L" />
      <Act id="act-back" isAble run={() => reviewing.back()} words="Take mine back" letter="z" />
    </div>
  );
}

interface ActProps {
  id: string;
  /** Where it means nothing it stays where it is, with the focus if it has that. */
  isAble: boolean;
  words: ComponentChildren;
  letter?: string;
  run(): void;
}

function Act({ id, isAble, words, letter = '', run }: ActProps): VNode {
  return <Button {...{ id, words, letter }} aria-disabled={!isAble} onClick={() => isAble && run()} />;
}

/** Shows the words of the library, the lines in the way, and the edits that hold them. */
function Answer({ said }: { said: Said }): VNode {
  const { ok, code, message, done, data } = said.answered;
  const { notes = [] } = Object(data) as { notes?: readonly string[] };
  const canUndo = ok && typeof done === 'number' && said.asked.act !== 'back';
  // A diff that would follow is on the page already; the place of a conflict is drawn below.
  const text = ok || code === 'CONFLICT' ? firstLine(message).replace(/:$/, '') : message;
  const close = (): void => {
    actions.closeAnswer();
    document.getElementById('panel')?.focus({ preventScroll: true });
  };
  return (
    <section id="answer" class={`answer${ok ? '' : ' refused'}`} aria-label="Answer">
      <Button id="answer-close" aria-label="Close the answer" onClick={close} words="×" />
      <p id="answer-text" role="alert">
        {!ok && <strong>{code} </strong>}
        {paragraph(text)}
      </p>
      {notes.map(note => (
        <p class="dim">{visible(note)}</p>
      ))}
      {canUndo && (
        <Button onClick={() => void actions.act({ act: 'back', of: done })} words="Undo" letter="z" />
      )}
      <div id="answer-more">{!ok && <Ways said={said} />}</div>
    </section>
  );
}

/** Shows, of a conflict, the lines that stand in the way, and the edits that hold them. */
function Ways({ said: { asked, answered } }: { said: Said }): VNode {
  const { story } = app;
  const { message, data } = answered;
  const { conflicts = [], builds_on: builds } = Object(data) as Partial<ErrorDataByCode['CONFLICT']>;
  const held = builds?.flatMap(({ commit }) => commit ?? []) ?? [];
  const named = message.match(/\b[0-9a-f]{7,40}\b/g) ?? [];
  const entries = [...new Set([...held, ...named].flatMap(id => story.find(id) ?? []))];
  const together = (): unknown => actions.act({ ...asked, together: true });
  return (
    <>
      {conflicts.slice(0, MOST.conflicts).map(conflict => (
        <Conflict {...conflict} />
      ))}
      {entries.length > 0 && (
        <ul class="ways">
          {entries.slice(0, MOST.entries).map(index => (
            <Way index={index} isHolder={held.includes(story.entries[index]!.commit)} />
          ))}
        </ul>
      )}
      {builds && asked.act === 'reject' && <Button onClick={together} words="Reject them together" />}
    </>
  );
}

function Way({ index, isHolder }: { index: number; isHolder: boolean }): VNode {
  const { story } = app;
  const { commit, subject, reason } = story.entries[index]!;
  const what = visible(firstLine(`${story.groupOf(index).name}: ${reason || subject}`));
  return (
    <li>
      <EntryLink commit={commit} words={[isHolder && 'held by ', what]} />
      {isHolder && story.isRevertible(index) && (
        <Button onClick={() => actions.revert(commit)} words="Take that out first" />
      )}
    </li>
  );
}

function Conflict({ path, regions }: FileConflict): VNode {
  return (
    <>
      {regions.slice(0, MOST.conflicts).map(({ start_line: line, present, wanted }) => (
        <>
          <div class="hunk">
            <Path path={path} />, line {number(line)}: present and wanted
          </div>
          <Code
            label={`${path}, line ${line}`}
            rows={[...rowsOf('-', lines(present), line, null), ...rowsOf('+', lines(wanted), null, null)]}
          />
        </>
      ))}
    </>
  );
}
