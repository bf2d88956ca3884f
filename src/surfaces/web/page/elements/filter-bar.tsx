/** The filters above a list: choices, a search, how much fits, and the way back to all of it. */

import type { ComponentChildren, VNode } from 'preact';
import { Button } from './button.tsx';

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
  options: readonly string[];
  chosen: number | null;
  choose(index: number | null): void;
}

export function Choice({ id, label, all, options, chosen, choose }: ChoiceProps): VNode {
  return (
    <select
      id={id}
      aria-label={label}
      value={chosen === null ? '' : String(chosen)}
      onChange={({ currentTarget: { value } }) => choose(value === '' ? null : Number(value))}
    >
      <option value="">{all}</option>
      {options.map((name, value) => (
        <option value={value}>{name}</option>
      ))}
    </select>
  );
}
