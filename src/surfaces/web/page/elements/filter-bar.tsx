/** The filters above a list: choices, a search, how much fits, and the way back to all of it. */

import type { ComponentChildren, VNode } from 'preact';
import { Button } from './words.tsx';

interface FilterBarProps {
  /** The names of the bar and of its search, for who does not see them. */
  label: string;
  searchLabel: string;
  placeholder: string;
  words: string;
  search(words: string): void;
  found: ComponentChildren;
  isNarrow: boolean;
  showAll(): void;
  children: ComponentChildren;
}

export function FilterBar(props: FilterBarProps): VNode {
  const { label, searchLabel, placeholder, words, search, found, isNarrow, showAll, children } = props;
  return (
    <div class="filters" role="search" aria-label={label}>
      {children}
      <input
        id="only-words"
        type="search"
        placeholder={placeholder}
        aria-label={searchLabel}
        autoComplete="off"
        spellcheck={false}
        value={words}
        onInput={event => search(event.currentTarget.value)}
      />
      <p class="found">
        {found}
        <Button id="show-all" class="link" hidden={!isNarrow} onClick={showAll} words="Show all" />
      </p>
    </div>
  );
}

interface ChoiceProps {
  id: string;
  label: string;
  all: string;
  options: ReadonlyArray<readonly [name: string, words: string]>;
  /** The name of the chosen option; `null` chooses all. */
  chosen: string | null;
  choose(name: string | null): void;
}

export function Choice({ id, label, all, options, chosen, choose }: ChoiceProps): VNode {
  const at = options.findIndex(([name]) => name === chosen);
  return (
    <select
      id={id}
      aria-label={label}
      value={at < 0 ? '' : String(at)}
      onChange={({ currentTarget: { value } }) => choose(value === '' ? null : options[Number(value)]![0])}
    >
      <option value="">{all}</option>
      {options.map(([, words], value) => (
        <option value={value}>{words}</option>
      ))}
    </select>
  );
}
