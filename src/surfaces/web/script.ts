/** The page's own script: the source text of its parts, and a line that starts them. */

import { Actions } from './page/actions.ts';
import { Address } from './page/address.ts';
import { App } from './page/app.ts';
import { Blame } from './page/blame.ts';
import { Carry } from './page/carry.ts';
import { Changes } from './page/changes.ts';
import { Code } from './page/code.ts';
import type { Parts } from './page/contract.ts';
import { Details } from './page/details.ts';
import { Diff } from './page/diff.ts';
import { Dom } from './page/dom.ts';
import { FileStory } from './page/file-story.ts';
import { Filters } from './page/filters.ts';
import { Host } from './page/host.ts';
import { HostNet } from './page/host-net.ts';
import { Keys } from './page/keys.ts';
import { Lane } from './page/lane.ts';
import { Live } from './page/live.ts';
import { Net } from './page/net.ts';
import { Overview } from './page/overview.ts';
import { Player } from './page/player.ts';
import { Replay } from './page/replay.ts';
import { Review } from './page/review.ts';
import { Story } from './page/story.ts';
import { Stream } from './page/stream.ts';
import { Strip } from './page/strip.ts';
import { Tabs } from './page/tabs.ts';
import { Theme } from './page/theme.ts';
import { VirtualList } from './page/virtual-list.ts';
import { Watching } from './page/watching.ts';
import { Words } from './page/words.ts';

const parts: Parts = {
  Actions,
  Address,
  App,
  Blame,
  Carry,
  Changes,
  Code,
  Details,
  Diff,
  Dom,
  FileStory,
  Filters,
  Host,
  HostNet,
  Keys,
  Lane,
  Live,
  Net,
  Overview,
  Player,
  Replay,
  Review,
  Story,
  Stream,
  Strip,
  Tabs,
  Theme,
  VirtualList,
  Watching,
  Words,
};

/** A class prints itself as it was written, without its types: that text is what runs in the page. `start` starts it. */
export function pageScript(start: string): string {
  const list = Object.entries(parts).map(([name, part]) => `${name}: ${part.toString()}`);
  return `'use strict';
{
const parts = {
${list.join(',\n')}
};
${start}
}
`;
}
