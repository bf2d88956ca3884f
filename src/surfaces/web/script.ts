/** The page's own script: the source text of its parts, and a line that starts them. */

import { Address } from './page/address.ts';
import { App } from './page/app.ts';
import { Host } from './page/connection/host.ts';
import { HostNet } from './page/connection/host-net.ts';
import { Net } from './page/connection/net.ts';
import { Stream } from './page/connection/stream.ts';
import type { Parts } from './page/contract.ts';
import { Code } from './page/elements/code.ts';
import { Dom } from './page/elements/dom.ts';
import { Words } from './page/elements/words.ts';
import { Keys } from './page/keys.ts';
import { Filters } from './page/list/filters.ts';
import { Lane } from './page/list/lane.ts';
import { VirtualList } from './page/list/virtual-list.ts';
import { Actions } from './page/live/actions.ts';
import { Live } from './page/live/live.ts';
import { Watching } from './page/live/watching.ts';
import { Carry } from './page/model/carry.ts';
import { Diff } from './page/model/diff.ts';
import { FileStory } from './page/model/file-story.ts';
import { Story } from './page/model/story.ts';
import { Theme } from './page/theme.ts';
import { Blame } from './page/views/blame.ts';
import { Changes } from './page/views/changes.ts';
import { Details } from './page/views/details.ts';
import { Overview } from './page/views/overview.ts';
import { Player } from './page/views/player.ts';
import { Replay } from './page/views/replay.ts';
import { Review } from './page/views/review.ts';
import { Strip } from './page/views/strip.ts';
import { Tabs } from './page/views/tabs.ts';

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
