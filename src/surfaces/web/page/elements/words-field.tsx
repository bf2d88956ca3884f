/** The field in which a reader searches a list. */

import type { VNode } from 'preact';

interface WordsFieldProps {
  placeholder: string;
  /** The name of the field, for who does not see it. */
  label: string;
  words: string;
  search(words: string): void;
}

export function WordsField({ placeholder, label, words, search }: WordsFieldProps): VNode {
  return (
    <input
      id="only-words"
      type="search"
      placeholder={placeholder}
      aria-label={label}
      autoComplete="off"
      spellcheck={false}
      value={words}
      onInput={event => search(event.currentTarget.value)}
    />
  );
}
