/** The views as tabs (ARIA Authoring Practices, "Tabs"): arrow keys move between them. */

import type { VNode } from 'preact';
import type { App } from '../app.ts';
import type { ViewName } from '../contract.ts';

const NAMES: Readonly<Record<ViewName, string>> = {
  review: 'Review',
  overview: 'Overview',
  changes: 'Changes',
  replay: 'Replay',
  blame: 'Blame',
};

export function Tabs({ app, views }: { app: App; views: readonly ViewName[] }): VNode {
  const { view } = app.state;
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const next = views[(views.indexOf(view) + step + views.length) % views.length]!;
    app.show(next);
    document.getElementById(`tab-${next}`)!.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div id="tabs" role="tablist" aria-label="Views" onKeyDown={onKey}>
      {views.map(one => (
        <button
          type="button"
          role="tab"
          id={`tab-${one}`}
          aria-controls="panel"
          aria-selected={one === view}
          tabIndex={one === view ? 0 : -1}
          onClick={() => app.show(one)}
        >
          {NAMES[one]}
        </button>
      ))}
    </div>
  );
}
