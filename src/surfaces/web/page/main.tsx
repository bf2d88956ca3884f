/** Starts the page: the history that is in it, or the one of a server or host that it asks. */

import { render } from 'preact';
import type { Timeline } from '../../../queries/timeline/timeline.ts';
import { App } from './app.ts';
import { restoreTheme, setTheme, systemTheme } from './choices.ts';
import { Host } from './connection/host.ts';
import { HostNet } from './connection/host-net.ts';
import { Net } from './connection/net.ts';
import { plain } from './elements/text.ts';
import { bindings, listen } from './keys.ts';
import { Actions } from './live/actions.ts';
import { Live } from './live/live.ts';
import { Root } from './views/root.tsx';

const NOTHING: Timeline = {
  name: '',
  trail: '',
  head: null,
  time: new Date(0).toISOString(),
  entries: [],
  more: false,
  left_out: 0,
  max_bytes: 0,
};

const { kind, readOnly } = document.body.dataset;
const data = document.getElementById('timeline');
const app = new App(data ? JSON.parse(data.textContent!) : NOTHING, kind !== 'app');
const host = kind === 'app' ? new Host() : null;
const live = data ? null : new Live(app, host ? new HostNet(host) : new Net());
const actions = live && new Actions(app, live, readOnly !== undefined);
const keys = bindings(app, actions);
const place = document.getElementById('page')!;

app.onChange = () => {
  const { name, trail } = app.story.timeline;
  document.title = name === '' ? 'vedit' : `${plain(`${name} · ${trail}`)} · vedit`;
  render(<Root app={app} actions={actions} host={host} bindings={keys} />, place);
};
restoreTheme();
systemTheme.addEventListener('change', () => app.onChange());
if (host)
  host.onContext = () => {
    const { theme } = host.context;
    if (theme === 'light' || theme === 'dark') setTheme(theme);
    app.onChange();
  };
listen(() => keys);
app.onChange();
if (live) {
  live.goesOn = isFollowed;
  void live.start();
} else app.start();

/** Tells whether the newest edit is shown and nobody is in the middle of reading it. */
function isFollowed(): boolean {
  const { chosen, view } = app.state;
  const panel = document.getElementById('panel')!;
  const isIdle = panel.scrollTop < 5 && (getSelection()?.isCollapsed ?? true);
  const isInside = panel.contains(document.activeElement) && document.activeElement !== panel;
  const isAsked = document.querySelector('dialog[open]') !== null;
  return chosen === 0 && view === 'changes' && isIdle && !isInside && !isAsked;
}
