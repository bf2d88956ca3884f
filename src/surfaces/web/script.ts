/** The page's own script: the source text of its parts, and a line that starts them. */

import { Address } from './page/address.ts';
import { App } from './page/app.ts';
import { Blame } from './page/blame.ts';
import { Changes } from './page/changes.ts';
import { Code } from './page/code.ts';
import type { Parts } from './page/contract.ts';
import { Details } from './page/details.ts';
import { Diff } from './page/diff.ts';
import { Dom } from './page/dom.ts';
import { FileStory } from './page/file-story.ts';
import { Filters } from './page/filters.ts';
import { Keys } from './page/keys.ts';
import { Lane } from './page/lane.ts';
import { Overview } from './page/overview.ts';
import { Player } from './page/player.ts';
import { Replay } from './page/replay.ts';
import { Story } from './page/story.ts';
import { Strip } from './page/strip.ts';
import { Tabs } from './page/tabs.ts';
import { Theme } from './page/theme.ts';
import { Words } from './page/words.ts';

const parts: Parts = {
  Address,
  App,
  Blame,
  Changes,
  Code,
  Details,
  Diff,
  Dom,
  FileStory,
  Filters,
  Keys,
  Lane,
  Overview,
  Player,
  Replay,
  Story,
  Strip,
  Tabs,
  Theme,
  Words,
};

/** A class prints itself as it was written, without its types: that text is what runs in the page. */
export function pageScript(): string {
  const list = Object.entries(parts).map(([name, part]) => `${name}: ${part.toString()}`);
  return `'use strict';
{
const parts = {
${list.join(',\n')}
};
new parts.App(JSON.parse(document.getElementById('timeline').textContent), parts);
}
`;
}
