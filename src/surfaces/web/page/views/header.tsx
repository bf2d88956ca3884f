/** The head of the page: whose history it is, who works now, whether the page is connected. */

import type { VNode } from 'preact';
import { isDark } from '../choices.ts';
import type { Host } from '../connection/host.ts';
import { Button } from '../elements/button.tsx';
import { count, plain } from '../elements/text.ts';
import { visible } from '../elements/words.tsx';
import { switchTheme, toggleHelp } from '../keys.ts';
import { app, host, live } from '../parts.ts';

export function Header(): VNode {
  const { name, trail } = app.story.timeline;
  const other = `Switch to ${isDark() ? 'light' : 'dark'} colours`;
  return (
    <header class="top">
      <h1>
        <span class="mark" aria-hidden="true" />
        <span id="name">{visible(name)}</span> <small id="trail">{visible(trail)}</small>
      </h1>
      <LiveState />
      {host && <FullScreen host={host} />}
      <Button id="theme" class="icon" aria-label={other} onClick={switchTheme} words={HALF_DISC} />
      <Button
        id="help-button"
        class="icon"
        aria-label="Help: keys"
        aria-haspopup="dialog"
        onClick={toggleHelp}
        words="?"
      />
    </header>
  );
}

const HALF_DISC: VNode = (
  <svg viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="6" />
    <path d="M8 2a6 6 0 0 1 0 12z" class="half" />
  </svg>
);

function LiveState(): VNode {
  const { connection, outside, watching } = live;
  const { workers } = watching;
  const names = outside.map(({ path, kind }) => `${plain(path)} (${kind})`).join('\n');
  return (
    <>
      <ul id="workers" class="workers" aria-label="Working now" hidden={workers.length === 0}>
        {workers.map(({ session, name, what }) => (
          <li class={`worker ${app.story.groups.find(one => one.session === session)?.tint ?? 'tint-other'}`}>
            <span class="swatch" />
            <strong>{visible(name)}</strong>
            <span class="dim"> {visible(what)}</span>
          </li>
        ))}
      </ul>
      <span id="unrecorded" class="badge unrecorded" hidden={outside.length === 0} title={names}>
        {count(outside.length, 'file differs', 'files differ')}, not recorded yet
      </span>
      <span id="live-state" class={`live-state ${connection.kind}`} role="status">
        {connection.words}
      </span>
    </>
  );
}

function FullScreen({ host }: { host: Host }): VNode {
  const { displayMode, availableDisplayModes = [] } = host.context;
  return (
    <Button
      id="full-screen"
      hidden={!availableDisplayModes.includes('fullscreen')}
      onClick={() => void host.toggleFullScreen().catch(() => {})}
      words={displayMode === 'fullscreen' ? 'Smaller' : 'Full screen'}
    />
  );
}
