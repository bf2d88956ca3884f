/** Starts the page. */

import { render } from 'preact';
import { plain } from './elements/text.ts';
import { listen } from './keys.ts';
import { app, host, live } from './parts.ts';
import { Root } from './views/root.tsx';

const place = document.getElementById('page')!;

app.onChange = () => {
  const { name, trail } = app;
  const { left } = live.review;
  const count = left > 0 ? `(${left}) ` : '';
  document.title = name === '' ? 'vedit' : `${count}${plain(`${name} · ${trail}`)} · vedit`;
  render(<Root />, place);
};
if (host)
  host.onContext = ({ theme }) => {
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    app.onChange();
  };
listen();
app.onChange();
live.goesOn = isFollowed;
void live.start();

/** Tells whether the newest edit is shown and nobody is in the middle of reading it. */
function isFollowed(): boolean {
  const panel = document.getElementById('panel')!;
  const isIdle = panel.scrollTop < 5 && (getSelection()?.isCollapsed ?? true);
  const isInside = panel.contains(document.activeElement) && document.activeElement !== panel;
  const isAsked = document.querySelector('dialog[open]') !== null;
  return app.index === 0 && app.state.view === 'history' && isIdle && !isInside && !isAsked;
}
