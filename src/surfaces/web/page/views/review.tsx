/** The review: hunks of the accepted text against the present one, each with the edits behind it. */

import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { UnclaimedText } from '../../../../review/listing.ts';
import type { App } from '../app.ts';
import { count, number } from '../elements/text.ts';
import { Dim, Path, visible } from '../elements/words.tsx';
import type { Actions } from '../live/actions.ts';
import { HunkLines, ReviewHunkView } from './review-hunk.tsx';

export function Review({ app, actions }: { app: App; actions: Actions }): VNode {
  const { live } = actions;
  const { review } = live;
  const { chosen } = actions;
  useLayoutEffect(() => {
    actions.isInSight = isInSight;
    actions.reveal = reveal;
  }, [actions]);
  if (!review.isListed) return <Dim>Reading what is to review…</Dim>;
  const { open, all } = review;
  return (
    <>
      <h2 class="lead">{headline(review)}</h2>
      <Progress actions={actions} />
      {all.length === 0 ? (
        <Summary actions={actions} />
      ) : (
        open.length === 0 && <NothingFits actions={actions} />
      )}
      {open.map((one, at) => (
        <ReviewHunkView
          key={one.key}
          {...{ app, actions, one, at }}
          isRead={live.isRead}
          isChosen={one.key === chosen?.key}
        />
      ))}
      {live.unclaimed && <Unclaimed actions={actions} unclaimed={live.unclaimed} />}
    </>
  );
}

function headline({ all, open }: Actions['live']['review']): string {
  if (all.length === 0) return 'Everything that agents wrote is reviewed.';
  const files = new Set(open.map(({ hunk }) => hunk.path)).size;
  return `${count(open.length, 'hunk')} of ${count(files, 'file')} to review`;
}

/** `12 of 232, 4 rejected`: of what this page has seen to review. */
function Progress({ actions }: { actions: Actions }): VNode | null {
  const { review } = actions.live;
  const [accepted, rejected] = [review.count('accept'), review.count('reject')];
  const done = accepted + rejected;
  if (done === 0) return null;
  const all = done + review.all.length;
  return (
    <p id="progress" role="status">
      <progress max={all} value={done} aria-label="Reviewed" /> {number(done)} of {number(all)}
      {rejected > 0 && `, ${number(rejected)} rejected`}
    </p>
  );
}

/** The end of a review: what was said, and the way to land it. */
function Summary({ actions }: { actions: Actions }): VNode | null {
  const { review } = actions.live;
  const [accepted, rejected] = [review.count('accept'), review.count('reject')];
  if (actions.readOnly) return null;
  return (
    <section class="summary" aria-label="Summary">
      {accepted + rejected > 0 && (
        <p>
          You accepted {number(accepted)} and rejected {number(rejected)}. The agents hear of what you
          rejected with their next answers.
        </p>
      )}
      <button type="button" class="main" onClick={() => actions.land()}>
        Land what is accepted… <kbd>L</kbd>
      </button>
    </section>
  );
}

function NothingFits({ actions }: { actions: Actions }): VNode {
  return (
    <p>
      No hunk fits.{' '}
      <button type="button" class="link" onClick={() => actions.narrow(null)}>
        Show all
      </button>
    </p>
  );
}

/** Text that nobody claims, in one line that opens. */
function Unclaimed({ actions, unclaimed }: { actions: Actions; unclaimed: UnclaimedText }): VNode {
  return (
    <details class="file unclaimed">
      <summary>{visible(unclaimed.words)}</summary>
      {!actions.readOnly && (
        <p>
          <button type="button" onClick={() => actions.claim()}>
            All of it is mine <kbd>c</kbd>
          </button>
        </p>
      )}
      {unclaimed.hunks.map(hunk => (
        <>
          <h3>
            <Path path={hunk.path} /> line {number(hunk.lines.start_line)}
          </h3>
          <HunkLines hunk={hunk} />
        </>
      ))}
    </details>
  );
}

/** CSS pixels of a hunk that have to be seen for it to be on the screen. */
const SEEN = 60;

interface Place {
  hunk: DOMRect;
  panel: DOMRect;
  element: HTMLElement;
}

function chosenPlace(): Place | null {
  const element = document.querySelector<HTMLElement>('.review-hunk.chosen');
  const panel = document.getElementById('panel');
  if (!element || !panel) return null;
  return { hunk: element.getBoundingClientRect(), panel: panel.getBoundingClientRect(), element };
}

/** Tells whether the chosen hunk is on the screen: all of it, or as much as tells one from another. */
function isInSight(): boolean {
  const place = chosenPlace();
  if (!place) return false;
  const { hunk, panel } = place;
  const seen = Math.min(hunk.bottom, panel.bottom) - Math.max(hunk.top, panel.top);
  return seen >= Math.min(SEEN, hunk.height);
}

/** Scrolls as little as it takes for the chosen hunk to be seen, from its beginning. */
function reveal(): void {
  const place = chosenPlace();
  if (!place) return;
  const { hunk, panel, element } = place;
  if (hunk.top < panel.top || hunk.height > panel.height) element.scrollIntoView({ block: 'start' });
  else if (hunk.bottom > panel.bottom) element.scrollIntoView({ block: 'end' });
}
