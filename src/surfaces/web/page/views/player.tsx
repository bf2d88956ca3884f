/** Replays a file: a slider over its edits, steps, play. It stays in place while the text below it changes. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { isReplayed } from '../app.ts';
import { Button } from '../elements/button.tsx';
import { count, plain, shortPath } from '../elements/text.ts';
import { app } from '../parts.ts';

/** Edits of which each has a bead below the slider. */
const MOST_BEADS = 80;

export function Player(): VNode | null {
  const { story, state } = app;
  const { file, step, view } = state;
  const options = useMemo(
    () => story.files.map(({ name }, value) => <option value={value}>{shortPath(name)}</option>),
    [story],
  );
  if (file === null || !isReplayed(view)) return null;
  const { steps } = story.files[file]!;
  const { length } = steps;
  const where = step === 0 ? `before its ${count(length, 'edit')}` : `edit ${step} of ${length}`;
  const entry = step === 0 ? null : story.entries[steps[step - 1]!.entry]!;
  return (
    <div id="player" role="group" aria-label="Replay">
      <select
        id="replayed-file"
        aria-label="Replayed file"
        value={String(file)}
        onChange={event => app.openFile(Number(event.currentTarget.value))}
      >
        {options}
      </select>
      <div class="controls">
        <Button
          id="play"
          aria-pressed={app.isPlaying}
          onClick={() => app.play()}
          words={app.isPlaying ? 'Pause' : 'Play'}
        />
        <Button
          id="earlier"
          aria-label="Earlier edit of this file"
          title="Earlier (←)"
          onClick={() => app.step(-1)}
          words="‹"
        />
        <div class="track-box">
          <input
            id="slider"
            type="range"
            min="0"
            max={length}
            step="1"
            value={step}
            aria-label="Edits of this file"
            aria-valuetext={plain(entry ? `${where}: ${entry.subject}` : where)}
            onInput={event => {
              const step = Number(event.currentTarget.value);
              app.stop();
              app.toStep(step);
            }}
          />
          <div id="beads" aria-hidden="true">
            {length <= MOST_BEADS && <Beads file={file} isPlaced />}
          </div>
        </div>
        <Button
          id="later"
          aria-label="Later edit of this file"
          title="Later (→)"
          onClick={() => app.step(1)}
          words="›"
        />
        <span id="position">{where}</span>
      </div>
    </div>
  );
}

/** Beads for the newest edits of a file, in the colours of who made them. `isPlaced`: each below its place of the slider. */
export function Beads({ file, isPlaced }: { file: number; isPlaced?: boolean }): VNode {
  const { story } = app;
  const { steps } = story.files[file]!;
  return (
    <>
      {steps.slice(isPlaced ? 0 : -24).map(({ entry }, at) => (
        <span
          class={`bead ${story.groupOf(entry).tint}${story.isBack(entry) ? ' hollow' : ''}`}
          style={isPlaced ? { '--at': (at + 1) / steps.length } : {}}
        />
      ))}
    </>
  );
}
