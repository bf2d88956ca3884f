/** The panel: one of the views, below what it is about. What is read stays where it is when something comes. */

import { Component, createRef, type VNode } from 'preact';
import type { ViewName } from '../contract.ts';
import { type Anchor, hold, putBack } from '../elements/lazy.tsx';
import { Dim } from '../elements/words.tsx';
import { app, live, reviewing } from '../parts.ts';
import { Changes } from './changes.tsx';
import { Details } from './details.tsx';
import { FileLines, FileSteps } from './file.tsx';
import { Review } from './review.tsx';

/** The panel beside the list. A new number of `visit` scrolls it to the beginning of what it shows. */
export class Panel extends Component<{ visit: number }> {
  readonly #panel = createRef<HTMLDivElement>();
  readonly #body = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(): Anchor {
    return hold(this.#panel.current!, this.#body.current!);
  }

  override componentDidUpdate({ visit }: { visit: number }, _: object, held: Anchor): void {
    const panel = this.#panel.current!;
    // What stands above may have grown by a line, or another agent's hunk came there.
    if (visit === this.props.visit) putBack(panel, held);
    else if (app.state.view === 'review') reviewing.reveal();
    else this.#begin(panel);
  }

  /** Scrolls to the beginning, or to what a step of a file changed. */
  #begin(panel: HTMLElement): void {
    const changed = app.state.view === 'file' && panel.querySelector('.plus-line, .minus-line');
    if (!changed) panel.scrollTop = 0;
    else
      panel.scrollTop +=
        changed.getBoundingClientRect().top - panel.getBoundingClientRect().top - panel.clientHeight / 3;
  }

  override render({ visit }: { visit: number }): VNode {
    return (
      <div
        id="panel"
        ref={this.#panel}
        role="tabpanel"
        tabIndex={0}
        aria-labelledby={`tab-${app.state.view}`}
      >
        <Details />
        <FileSteps />
        <div id="body" ref={this.#body}>
          <View key={`${app.state.view} ${visit}`} />
        </div>
      </div>
    );
  }
}

function View(): VNode {
  const { view } = app.state;
  const isThere = view === 'review' && live.review.all.length > 0;
  if (!live.isRead && !isThere)
    return <Dim>{live.notice === '' ? 'Reading the history…' : 'Nothing could be read.'}</Dim>;
  if (view !== 'review' && app.story.entries.length === 0)
    return <p class="lead">Nothing was edited yet. The first edit will be here.</p>;
  const Shown = VIEWS[view];
  return <Shown />;
}

const VIEWS: Readonly<Record<ViewName, () => VNode>> = {
  review: Review,
  history: Changes,
  file: FileLines,
};
