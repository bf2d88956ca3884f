/** The window that asks for a text: of one question, which what happens behind it does not change. */

import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../elements/button.tsx';
import { firstLine, number, plain } from '../elements/text.ts';
import { Path, visible } from '../elements/words.tsx';
import type { Question } from '../live/actions.ts';
import { actions } from '../parts.ts';

export function Ask(): VNode | null {
  const { question } = actions;
  return question && <Window key={question.draft} question={question} />;
}

function Window({ question }: { question: Question }): VNode {
  const { title, words, does, draft, about, choices } = question;
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    dialog.current!.showModal();
    field.current!.focus();
    return () => dialog.current?.close();
  }, []);
  const end = (): void => {
    const choice = dialog.current!.querySelector<HTMLInputElement>('input:checked')?.value ?? '';
    const text = field.current!.value.trim();
    actions.putOff();
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
      ref={dialog}
      aria-labelledby="ask-title"
      onKeyDown={onKey}
      onClose={() => actions.question === question && actions.putOff()}
    >
      <h2 id="ask-title">
        {title} {about && <Path path={about.hunk.path} />}
      </h2>
      {about && <About {...about.hunk} />}
      {choices && <Choices choices={choices} />}
      <p id="ask-question">{words}</p>
      <textarea
        id="ask-text"
        ref={field}
        rows={3}
        aria-labelledby="ask-question"
        value={actions.drafts.get(draft) ?? ''}
        onInput={event => actions.drafts.set(draft, event.currentTarget.value)}
      />
      <div class="answers">
        <Button class="main" onClick={end} words={does} />
        <Button onClick={() => actions.putOff()} words="Not now" />
        <span class="dim">Ctrl+Enter</span>
      </div>
    </dialog>
  );
}

type Hunk = NonNullable<Question['about']>['hunk'];

function About({ kind, lines, after, before }: Hunk): VNode {
  const [text = ''] = [...after.lines, ...before.lines].filter(line => line.trim() !== '');
  return (
    <p class="dim">
      {kind === 'lines' ? `line ${number(lines.start_line)}` : kind}:{' '}
      <code>{visible(plain(firstLine(text)).slice(0, 80))}</code>
    </p>
  );
}

function Choices({ choices }: { choices: NonNullable<Question['choices']> }): VNode {
  return (
    <div role="radiogroup" aria-label="What">
      {choices.map(([value, label], at) => (
        <label class="choice">
          <input type="radio" name="what" value={value} defaultChecked={at === 0} /> {label}
        </label>
      ))}
    </div>
  );
}
