/** The actions below what is shown, and the answer to the last one. */

import type { ComponentChildren, VNode } from 'preact';
import type { ErrorDataByCode, FileConflict } from '../../../../errors.ts';
import type { Holder } from '../../server/holders.ts';
import type { App } from '../app.ts';
import type { Row } from '../contract.ts';
import { Code } from '../elements/code.tsx';
import { firstLine, number } from '../elements/text.ts';
import { Path, paragraph, visible } from '../elements/words.tsx';
import type { Actions, Said } from '../live/actions.ts';
import { lines } from '../model/diff.ts';

/** Conflicts, their places, and entries that an answer names at most. */
const MOST = { conflicts: 3, entries: 5 };

export function Foot({ app, actions }: { app: App; actions: Actions }): VNode {
  return (
    <div class="foot">
      {actions.said && <Answer app={app} actions={actions} said={actions.said} />}
      {!actions.readOnly && <Acts app={app} actions={actions} />}
    </div>
  );
}

function Acts({ app, actions }: { app: App; actions: Actions }): VNode {
  const { state, story } = app;
  const { can } = actions;
  const isReview = state.view === 'review';
  const commit = state.chosen === null ? undefined : story.entries[state.chosen]!.commit;
  return (
    <div id="acts" class="acts" role="toolbar" aria-label="Actions">
      {!isReview && (
        <>
          <Act id="act-revert" isAble={can.revert} run={() => actions.revert(commit)} letter="u">
            Take out
          </Act>
          <Act id="act-restore" isAble={can.restore} run={() => actions.restore()}>
            Restore…
          </Act>
          <Act id="act-undo" isAble={can.undo} run={() => actions.undo()}>
            Undo newest
          </Act>
        </>
      )}
      <Act id="act-land" isAble={can.undo} run={() => actions.land()} letter="L">
        Land…
      </Act>
      <Act id="act-back" isAble run={() => actions.back()} letter="z">
        Take mine back
      </Act>
    </div>
  );
}

interface ActProps {
  id: string;
  /** Where it means nothing it stays where it is, with the focus if it has that. */
  isAble: boolean;
  letter?: string;
  children: ComponentChildren;
  run(): void;
}

export function Act({ id, isAble, letter, children, run }: ActProps): VNode {
  return (
    <button type="button" id={id} aria-disabled={!isAble} onClick={() => isAble && run()}>
      {children}
      {letter !== undefined && [' ', <kbd>{letter}</kbd>]}
    </button>
  );
}

/** The words of the library, where it is held, and by which edits. */
function Answer({ app, actions, said }: { app: App; actions: Actions; said: Said }): VNode {
  const { ok, code, message } = said.answered;
  // A diff that would follow is on the page already; the place of a conflict is drawn below.
  const text = ok || code === 'CONFLICT' ? firstLine(message).replace(/:$/, '') : message;
  const close = (): void => {
    actions.closeAnswer();
    document.getElementById('panel')?.focus({ preventScroll: true });
  };
  return (
    <section id="answer" class={`answer${ok ? '' : ' refused'}`} aria-label="Answer">
      <button type="button" id="answer-close" aria-label="Close the answer" onClick={close}>
        ×
      </button>
      <p id="answer-text" role="alert">
        {!ok && <strong>{code} </strong>}
        {paragraph(text)}
      </p>
      <div id="answer-more">{!ok && <Ways app={app} actions={actions} said={said} />}</div>
    </section>
  );
}

/** Shows, of a conflict, the lines that stand in the way, and the edits that hold them. */
function Ways({ app, actions, said }: { app: App; actions: Actions; said: Said }): VNode {
  const { story } = app;
  const { asked, answered } = said;
  const { message, data, held_by: holders = [] } = answered;
  const { conflicts = [], builds_on: builds } = Object(data) as Partial<ErrorDataByCode['CONFLICT']>;
  const held = (holders as Holder[]).map(({ commit }) => commit);
  const named = message.match(/\b[0-9a-f]{7,40}\b/g) ?? [];
  const entries = [...new Set([...held, ...named].flatMap(id => story.find(id) ?? []))];
  return (
    <>
      {conflicts.slice(0, MOST.conflicts).map(conflict => (
        <Conflict {...conflict} />
      ))}
      {entries.length > 0 && (
        <ul class="ways">
          {entries.slice(0, MOST.entries).map(index => (
            <Way {...{ app, actions, index }} isHolder={held.includes(story.entries[index]!.commit)} />
          ))}
        </ul>
      )}
      {builds && asked.act === 'reject' && (
        <button type="button" onClick={() => void actions.act({ ...asked, together: true })}>
          Reject them together
        </button>
      )}
    </>
  );
}

type WayProps = { app: App; actions: Actions; index: number; isHolder: boolean };

function Way({ app, actions, index, isHolder }: WayProps): VNode {
  const { story } = app;
  const { commit, subject, reason } = story.entries[index]!;
  return (
    <li>
      <button type="button" class="link" onClick={() => app.chooseCommit(commit)}>
        {isHolder && 'held by '}
        {visible(firstLine(`${story.groupOf(index).name}: ${reason || subject}`))}
      </button>
      {isHolder && story.isEdit(index) && !story.isBack(index) && (
        <button type="button" onClick={() => actions.revert(commit)}>
          Take that out first
        </button>
      )}
    </li>
  );
}

function Conflict({ path, regions }: FileConflict): VNode {
  return (
    <>
      {regions.slice(0, MOST.conflicts).map(({ start_line: line, present, wanted }) => {
        const rows: Row[] = [
          ...lines(present).map((text, at): Row => ({ sign: '-', old: line + at, now: null, text })),
          ...lines(wanted).map((text): Row => ({ sign: '+', old: null, now: null, text })),
        ];
        return (
          <>
            <div class="hunk">
              <Path path={path} />, line {number(line)}: present and wanted
            </div>
            <Code label={`${path}, line ${line}`} rows={rows} />
          </>
        );
      })}
    </>
  );
}
