/** Small pieces: text with hidden characters made visible, paths, counts of lines, what can be copied, buttons. */

import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { count, HIDDEN, nameOf, number, plain, type TimeFormat, timeWords } from './text.ts';

const LONGEST = 5000;
/** Characters at the end of a name that are always shown. */
const TAIL = 10;
/** Milliseconds for which a button says what it has done. */
const TOLD_FOR = 1500;

/** Shows each hidden character of a text as a mark with its name. The end of a very long text is left out. */
export function visible(text: string): ComponentChildren {
  const shown = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { 0: character, index } of shown.matchAll(HIDDEN)) {
    const code = nameOf(character);
    if (index > at) parts.push(shown.slice(at, index));
    parts.push(
      <span class="hidden-character" title={`hidden character ${code}`}>
        {code}
      </span>,
    );
    at = index + character.length;
  }
  if (at < shown.length) parts.push(shown.slice(at));
  if (shown.length < text.length)
    parts.push(<span class="note"> … {count(text.length - shown.length, 'more character')}</span>);
  return parts;
}

/** Shows a text of several lines: their ends are its own, anything else that hides is shown. */
export function paragraph(text: string): ComponentChildren {
  return text.split('\n').map((line, at) => [at > 0 && <br />, visible(line)]);
}

/** Draws a path, its folder dimmed, and cut where there is no room: the name tells a file. */
export function Path({ path }: { path: string }): VNode {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span class="path">
      {cut > 0 && <span class="folder">{visible(path.slice(0, cut))}</span>}
      <span class="base">{nameParts(path.slice(cut))}</span>
    </span>
  );
}

/** Splits a name that is too long by itself, so that its end is never cut. */
function nameParts(name: string): ComponentChildren {
  if (name.length < 2 * TAIL || !/^[ -~]+$/.test(name)) return visible(name);
  return [<span class="stem">{name.slice(0, -TAIL)}</span>, <span class="tail">{name.slice(-TAIL)}</span>];
}

/** Draws a text to be used elsewhere, such as an id or a command, with a button that copies it. */
export function Copyable({ text }: { text: string }): VNode {
  return (
    <>
      <code class="id">{visible(text)}</code>
      <CopyButton text={text} what={text} />
    </>
  );
}

/** Draws a button that copies a text; `what` says to those who cannot see it which one. */
export function CopyButton({ text, what }: { text: string; what: string }): VNode {
  const [told, tell] = useState('Copy');
  const say = (words: string): void => {
    tell(words);
    setTimeout(() => tell('Copy'), TOLD_FOR);
  };
  const copy = (): void => {
    // A frame of another's page has no clipboard.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject();
    copied.then(
      () => say('Copied'),
      () => say('Not allowed'),
    );
  };
  return <Button class="copy" aria-label={`Copy ${plain(what)}`} onClick={copy} words={told} />;
}

/** Draws how many lines were added and removed: `+3 −1`, or nothing. */
export function Stat({ added, removed }: { added: number; removed: number }): VNode {
  if (added === 0 && removed === 0) return <span class="stat" />;
  return (
    <span class="stat">
      <span class="plus">+{number(added)}</span> <span class="minus">−{number(removed)}</span>
    </span>
  );
}

export function Time({ time, as }: { time: string; as: TimeFormat }): VNode {
  return (
    <time dateTime={time} title={time}>
      {timeWords(time, as)}
    </time>
  );
}

export function Dim({ children }: { children: ComponentChildren }): VNode {
  return <p class="dim">{children}</p>;
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type'> {
  words: ComponentChildren;
  letter?: string | false;
}

/** Draws a button, with the key that does the same. */
export function Button({ words, letter, ...attributes }: ButtonProps): VNode {
  return (
    <button type="button" aria-keyshortcuts={letter || undefined} {...attributes}>
      {words}
      {letter && (
        <span aria-hidden="true">
          {' '}
          <kbd>{letter}</kbd>
        </span>
      )}
    </button>
  );
}
