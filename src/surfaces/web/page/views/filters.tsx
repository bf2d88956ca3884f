/** Filters of the list: a file, a session, words. */

import type { VNode } from 'preact';
import type { App } from '../app.ts';
import { count, number, plain, shortPath } from '../elements/text.ts';
import { WordsField } from '../elements/words-field.tsx';

export function Filters({ app }: { app: App }): VNode {
  const { story, state, shown } = app;
  const all = count(story.entries.length, 'entry', 'entries');
  const isNarrow = shown.length !== story.entries.length;
  const groups = story.groups.map(({ name, session, entries }) => {
    const whose = session !== null && name !== `session ${session}` ? `${name}, ${session}` : name;
    return `${plain(whose)} (${number(entries.length)})`;
  });
  const files = story.files.map(({ name, steps }) => `${shortPath(name)} (${number(steps.length)})`);
  return (
    <div class="filters" role="search" aria-label="Narrow the list">
      <Choice
        {...{ id: 'only-file', label: 'File', all: 'All files', options: files, chosen: state.onlyFile }}
        choose={onlyFile => app.narrow({ onlyFile })}
      />
      <Choice
        {...{ id: 'only-group', label: 'Who', all: 'Everybody', options: groups, chosen: state.onlyGroup }}
        choose={onlyGroup => app.narrow({ onlyGroup })}
      />
      <WordsField
        placeholder="Search reasons, paths, changes"
        label="Search"
        words={state.words}
        search={words => app.narrow({ words })}
      />
      <p class="found">
        <span id="count" role="status">
          {isNarrow ? `${number(shown.length)} of ${all}` : all}
        </span>
        {story.timeline.more && <span id="newest">the newest; there are older ones</span>}
        <button
          type="button"
          id="show-all"
          class="link"
          hidden={state.onlyFile === null && state.onlyGroup === null && state.words === ''}
          onClick={() => clearFilters(app)}
        >
          Show all
        </button>
      </p>
    </div>
  );
}

export function clearFilters(app: App): void {
  app.narrow({ onlyFile: null, onlyGroup: null, words: '' });
}

interface ChoiceProps {
  id: string;
  label: string;
  all: string;
  options: readonly string[];
  chosen: number | null;
  choose(index: number | null): void;
}

function Choice({ id, label, all, options, chosen, choose }: ChoiceProps): VNode {
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
