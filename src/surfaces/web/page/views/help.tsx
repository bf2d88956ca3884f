/** The window that tells the keys and signs. */

import type { VNode } from 'preact';
import { Button } from '../elements/button.tsx';
import { BINDINGS, hasSingleKeys, setSingleKeys, toggleHelp } from '../keys.ts';
import { isLive, live } from '../parts.ts';

export function Help(): VNode {
  return (
    <dialog id="help" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl id="keys">
        {BINDINGS.map(({ shown, does }) => (
          <>
            <dt>
              {shown.split(' ').map(key => (
                <kbd>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <p>
        <label>
          <input
            type="checkbox"
            id="single-keys"
            defaultChecked={hasSingleKeys()}
            onChange={event => setSingleKeys(event.currentTarget.checked)}
          />{' '}
          keys of one letter do this
        </label>
      </p>
      <p class="dim">
        A disc is an edit, a diamond a change that did not come through vedit, a ring one that was taken back.
        Colours are sessions.
      </p>
      {isLive && live.net.openTab && (
        <Button id="another-tab" onClick={() => void live.net.openTab?.()} words="Open another tab" />
      )}
      <Button id="help-close" onClick={toggleHelp} words="Close" />
    </dialog>
  );
}
