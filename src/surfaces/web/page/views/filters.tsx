/** Filters of the list: a file, a session, words. */

import type { VNode } from 'preact';
import type { App } from '../app.ts';
import { Choice, FilterBar } from '../elements/filter-bar.tsx';
import { count, number, plain, shortPath } from '../elements/text.ts';

export function Filters({ app }: { app: App }): VNode {
  const { story, state, shown } = app;
  const { onlyFile, onlyGroup, words } = state;
  const all = count(story.entries.length, 'entry', 'entries');
  const groups = story.groups.map(({ name, session, entries }) => {
    const whose = session !== null && name !== `session ${session}` ? `${name}, ${session}` : name;
    return `${plain(whose)} (${number(entries.length)})`;
  });
  const files = story.files.map(({ name, steps }) => `${shortPath(name)} (${number(steps.length)})`);
  return (
    <FilterBar
      label="Narrow the list"
      searchLabel="Search"
      placeholder="Search reasons, paths, changes"
      words={words}
      search={words => app.narrow({ words })}
      found={
        <>
          <span id="count" role="status">
            {shown.length !== story.entries.length ? `${number(shown.length)} of ${all}` : all}
          </span>
          {story.timeline.more && <span id="newest">the newest; there are older ones</span>}
        </>
      }
      isNarrow={onlyFile !== null || onlyGroup !== null || words !== ''}
      showAll={() => app.narrow({ onlyFile: null, onlyGroup: null, words: '' })}
    >
      <Choice
        {...{ id: 'only-file', label: 'File', all: 'All files', options: files, chosen: onlyFile }}
        choose={onlyFile => app.narrow({ onlyFile })}
      />
      <Choice
        {...{ id: 'only-group', label: 'Who', all: 'Everybody', options: groups, chosen: onlyGroup }}
        choose={onlyGroup => app.narrow({ onlyGroup })}
      />
    </FilterBar>
  );
}
