/** The review: hunks of the accepted text against the present one, each with the edits behind it. */

import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { UnclaimedText } from '../../../../review/listing.ts';
import { count, number } from '../elements/text.ts';
import { Button, Dim, Path, visible } from '../elements/words.tsx';
import type { ReviewQueue } from '../live/review-queue.ts';
import { actions, live, reviewing } from '../parts.ts';
import { HunkLines, ReviewHunkView } from './review-hunk.tsx';

export function Review(): VNode {
  const { review, unclaimed } = live;
  const { chosen } = reviewing;
  useLayoutEffect(() => {
    reviewing.isInSight = isInSight;
    reviewing.reveal = reveal;
  }, []);
  if (!review.isListed) return <Dim>Reading what is to review…</Dim>;
  const { open, all } = review;
  return (
    <>
      <h2 class="lead">{headline(review)}</h2>
      <Progress />
      {all.length === 0 && !actions.readOnly && <Summary />}
      {all.length > 0 && open.length === 0 && (
        <p>
          No hunk fits. <Button class="link" onClick={() => reviewing.narrow(null)} words="Show all" />
        </p>
      )}
      {open.map((one, at) => (
        <ReviewHunkView
          key={one.key}
          {...{ one, at }}
          isRead={live.isRead}
          isChosen={one.key === chosen?.key}
        />
      ))}
      {unclaimed && <Unclaimed unclaimed={unclaimed} />}
    </>
  );
}

function headline({ all, open }: ReviewQueue): string {
  if (all.length === 0) return 'Everything that agents wrote is reviewed.';
  const files = new Set(open.map(({ hunk }) => hunk.path)).size;
  return `${count(open.length, 'hunk')} of ${count(files, 'file')} to review`;
}

/** Says how much is done of what this page has seen to review: `12 of 232, 4 rejected`. */
function Progress(): VNode | null {
  const { all, accepted, rejected } = live.review;
  const done = accepted + rejected;
  if (done === 0) return null;
  return (
    <p id="progress" role="status">
      <progress max={done + all.length} value={done} aria-label="Reviewed" /> {number(done)} of{' '}
      {number(done + all.length)}
      {rejected > 0 && `, ${number(rejected)} rejected`}
    </p>
  );
}

/** Ends a review: what was said, and the way to land it. */
function Summary(): VNode {
  const { accepted, rejected } = live.review;
  return (
    <section class="summary" aria-label="Summary">
      {accepted + rejected > 0 && (
        <p>
          You accepted {number(accepted)} and rejected {number(rejected)}. The agents hear of what you
          rejected with their next answers.
        </p>
      )}
      <Button class="main" onClick={() => actions.land()} words="Land what is accepted…" letter="L" />
    </section>
  );
}

/** Shows text that nobody claims, in one line that opens. */
function Unclaimed({ unclaimed }: { unclaimed: UnclaimedText }): VNode {
  return (
    <details class="file unclaimed">
      <summary>{visible(unclaimed.words)}</summary>
      {!actions.readOnly && (
        <p>
          <Button onClick={() => reviewing.claim()} words="All of it is mine" letter="c" />
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

function chosenPlace(): { hunk: DOMRect; panel: DOMRect; element: HTMLElement } | null {
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
