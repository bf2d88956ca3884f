/** The window that asks for a text, or shows what an action would do: of one question, which what happens behind it does not change. */

import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { LandData } from '../../../../land/land.ts';
import type { Answered } from '../connection/net.ts';
import { Code } from '../elements/code.tsx';
import { count, firstLine, number } from '../elements/text.ts';
import { useAnswer } from '../elements/use-answer.ts';
import { Button, Path, paragraph, Stat } from '../elements/words.tsx';
import type { Question } from '../live/actions.ts';
import { parse } from '../model/diff.ts';
import { actions } from '../parts.ts';
import { HunkLines } from './review-hunk.tsx';

export function Ask(): VNode | null {
  const { question } = actions;
  return question && <Window key={`${question.title} ${question.draft}`} question={question} />;
}

function Window({ question }: { question: Question }): VNode {
  const { title, words, does, draft, about, choices, preview } = question;
  const [choice, choose] = useState(choices?.[0]?.[0] ?? '');
  const shown = useAnswer(preview && choice, () => preview!(choice));
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current!.showModal();
    dialog.current!.querySelector<HTMLElement>('textarea, .answers button')!.focus();
    return () => dialog.current?.close();
  }, []);
  const end = (): void => {
    if (shown?.ok === false) return;
    const text = dialog.current!.querySelector('textarea')?.value.trim() ?? '';
    actions.putOff();
    if (does !== '')
      void question.answer(text, choice).then(isDone => isDone && actions.drafts.delete(draft));
  };
  const onKey = (event: KeyboardEvent): void => {
    const isEnd = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isEnd && event.key !== 'Escape') return;
    // The browser would close it later than the next key comes.
    event.preventDefault();
    event.stopPropagation();
    if (isEnd) end();
    else actions.putOff();
  };
  return (
    <dialog
      id="ask"
      class={preview ? 'wide' : ''}
      ref={dialog}
      aria-labelledby="ask-title"
      onKeyDown={onKey}
      onClose={() => actions.question === question && actions.putOff()}
    >
      <h2 id="ask-title">
        {title} {about && <Path path={about.path} />}
      </h2>
      {about && <About question={question} />}
      {choices && <Choices {...{ choices, choose }} />}
      <p id="ask-question">{words}</p>
      {draft !== '' && <Field draft={draft} given={messageOf(shown)} />}
      {preview && <Preview answered={shown} />}
      <div class="answers">
        {does !== '' && (
          <Button class="main" aria-disabled={shown?.ok === false} onClick={end} words={does} />
        )}
        <Button onClick={() => actions.putOff()} words={does === '' ? 'Close' : 'Not now'} />
        {does !== '' && <span class="dim">Ctrl+Enter</span>}
      </div>
    </dialog>
  );
}

/** Draws the field for the text; `given`: what is in it until something is typed. */
function Field({ draft, given }: { draft: string; given: string }): VNode {
  return (
    <textarea
      id="ask-text"
      rows={3}
      aria-labelledby="ask-question"
      value={actions.drafts.get(draft) ?? given}
      onInput={event => actions.drafts.set(draft, event.currentTarget.value)}
    />
  );
}

/** Returns the message that a landing would have, without its trailers. */
function messageOf(answered: Answered | null): string {
  const { commits = [] } = Object(answered?.data) as Partial<LandData>;
  return (commits[0]?.message ?? '').replace(/\n\n(?:[A-Z][\w-]*: .*\n?)+$/, '').trim();
}

/** Shows what would land: how many files and lines, and the diff. */
function Preview({ answered }: { answered: Answered | null }): VNode {
  if (!answered) return <p class="dim">Reading what would land…</p>;
  if (!answered.ok) return <p class="refused">{paragraph(firstLine(answered.message))}</p>;
  const { paths, diff, commits } = answered.data as LandData;
  const edits = commits.flatMap(one => one.edits).length;
  return (
    <>
      <p id="ask-count">
        {count(paths.length, 'file')}, {count(edits, 'edit')}
      </p>
      <div class="preview">
        {diff.split(/^(?=diff --git )/m).map(part => (
          <Diff diff={part} />
        ))}
      </div>
    </>
  );
}

function Diff({ diff }: { diff: string }): VNode {
  const path = /^\+\+\+ b\/(.*)$/m.exec(diff)?.[1] ?? /^diff --git a\/(.*) b\//.exec(diff)?.[1] ?? '';
  const hunks = parse(diff);
  const rows = hunks.flatMap(hunk => hunk.rows);
  const signed = (sign: string): number => rows.filter(row => row.sign === sign).length;
  return (
    <details>
      <summary>
        <Path path={path} /> <Stat added={signed('+')} removed={signed('-')} />
      </summary>
      {hunks.map(({ newStart, rows: own }) => (
        <Code label={`${path}, line ${number(newStart)}`} rows={own} path={path} />
      ))}
    </details>
  );
}

/** Shows the hunk that is asked about, as it was when it was asked. */
function About({ question }: { question: Question }): VNode {
  return (
    <>
      {question.isOther?.() && (
        <p class="badge changed">It became another one meanwhile: what you see is what you read.</p>
      )}
      <div class="about">
        <HunkLines hunk={question.about!} />
      </div>
    </>
  );
}

interface ChoicesProps {
  choices: NonNullable<Question['choices']>;
  choose(choice: string): void;
}

function Choices({ choices, choose }: ChoicesProps): VNode {
  return (
    <div role="radiogroup" aria-label="What">
      {choices.map(([value, label], at) => (
        <label class="choice">
          <input
            type="radio"
            name="what"
            value={value}
            defaultChecked={at === 0}
            onChange={() => choose(value)}
          />{' '}
          {label}
        </label>
      ))}
    </div>
  );
}
