/** The panel: one of the views, below what it is about. What is read stays where it is when something comes. */

import { Component, createRef, type VNode } from 'preact';
import type { App } from '../app.ts';
import { type Held, hold, putBack } from '../elements/lazy.tsx';
import { Dim } from '../elements/words.tsx';
import type { Actions } from '../live/actions.ts';
import { Blame } from './blame.tsx';
import { Changes } from './changes.tsx';
import { Details } from './details.tsx';
import { Overview } from './overview.tsx';
import { Player } from './player.tsx';
import { Replay } from './replay.tsx';
import { Review } from './review.tsx';

interface PanelProps {
  app: App;
  actions: Actions | null;
  visit: number;
}

export class Panel extends Component<PanelProps> {
  readonly #panel = createRef<HTMLDivElement>();
  readonly #body = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(): Held {
    return hold(this.#panel.current!, this.#body.current!);
  }

  override componentDidUpdate({ visit, app }: PanelProps, _: object, held: Held): void {
    const panel = this.#panel.current!;
    // What stands above may have grown by a line, or another agent's hunk came there.
    if (visit === this.props.visit) putBack(panel, held);
    else if (app.state.view === 'review') this.props.actions?.reveal();
    else this.#begin(panel, app.state.view === 'replay');
  }

  #begin(panel: HTMLElement, isReplay: boolean): void {
    const changed = isReplay && panel.querySelector('.plus-line, .minus-line');
    if (!changed) panel.scrollTop = 0;
    else
      panel.scrollTop +=
        changed.getBoundingClientRect().top - panel.getBoundingClientRect().top - panel.clientHeight / 3;
  }

  override render({ app, actions, visit }: PanelProps): VNode {
    return (
      <div
        id="panel"
        ref={this.#panel}
        role="tabpanel"
        tabIndex={0}
        aria-labelledby={`tab-${app.state.view}`}
      >
        <Details app={app} />
        <Player app={app} />
        <div id="body" ref={this.#body}>
          <View key={`${app.state.view} ${visit}`} app={app} actions={actions} />
        </div>
      </div>
    );
  }
}

function View({ app, actions }: { app: App; actions: Actions | null }): VNode | null {
  const isThere = app.state.view === 'review' && (actions?.live.review.all.length ?? 0) > 0;
  if (actions && !actions.live.isRead && !isThere)
    return <Dim>{actions.live.notice === '' ? 'Reading the history…' : 'Nothing could be read.'}</Dim>;
  switch (app.state.view) {
    case 'overview':
      return <Overview app={app} />;
    case 'changes':
      return <Changes app={app} />;
    case 'replay':
      return <Replay app={app} />;
    case 'blame':
      return <Blame app={app} />;
    case 'review':
      return actions && <Review app={app} actions={actions} />;
  }
}
