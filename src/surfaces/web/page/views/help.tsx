/** The window that tells the keys and signs. */

import type { VNode } from 'preact';
import type { Binding } from '../contract.ts';
import { hasSingleKeys, setSingleKeys } from '../keys.ts';

interface HelpProps {
  bindings: readonly Binding[];
  openTab: (() => Promise<void>) | undefined;
}

export function Help({ bindings, openTab }: HelpProps): VNode {
  return (
    <dialog id="help" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl id="keys">
        {bindings.map(({ shown, does }) => (
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
      {openTab && (
        <button type="button" id="another-tab" onClick={() => void openTab()}>
          Open another tab
        </button>
      )}
      <button
        type="button"
        id="help-close"
        onClick={() => (document.getElementById('help') as HTMLDialogElement).close()}
      >
        Close
      </button>
    </dialog>
  );
}
