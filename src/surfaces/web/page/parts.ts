/** The parts of the page, each of which is there once: views and keys take them from here. */

import type { Timeline } from '../../../queries/timeline.ts';
import { App } from './app.ts';
import { Host } from './connection/host.ts';
import { HostNet } from './connection/host-net.ts';
import { Net, Saved } from './connection/net.ts';
import { Actions } from './live/actions.ts';
import { Live } from './live/live.ts';
import { Reviewing } from './live/reviewing.ts';

const NOTHING: Timeline = {
  name: '',
  trail: '',
  head: null,
  time: new Date(0).toISOString(),
  entries: [],
  more: false,
  left_out: 0,
};

const { kind, readOnly } = document.body.dataset;
const saved = document.getElementById('answers')?.textContent;

export const app: App = new App(NOTHING, kind !== 'app');
/** The host that shows the page as an MCP App. */
export const host: Host | null = kind === 'app' ? new Host() : null;
const net = saved ? new Saved(JSON.parse(saved)) : new Net();
export const live: Live = new Live(app, host ? new HostNet(host) : net);
export const actions: Actions = new Actions(app, live, readOnly !== undefined);
export const reviewing: Reviewing = new Reviewing(app, live, actions);
