/** Replays a file: a slider over its edits, steps, play. It stays in place while the text below it changes. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { isReplayed } from '../app.ts';
import { Button } from '../elements/button.tsx';
import { count, plain, shortPath } from '../elements/text.ts';
import type { FileStory } from '../model/file-story.ts';
import { app } from '../parts.ts';

/** Edits of which each has a bead below the slider. */
const MOST_BEADS = 80;

export function Player(): VNode | null {
  const { story, file, step } = app;
  const options = useMemo(
    () => story.files.map(({ name }) => <option value={name}>{shortPath(name)}</option>),
    [story],
  );
  if (file === null || !isReplayed(app.state.view)) return null;
  const { name, steps } = file;
  const { length } = steps;
  const where = step === 0 ? `before its ${count(length, 'edit')}` : `edit ${step} of ${length}`;
  const entry = step === 0 ? null : story.entries[steps[step - 1]!.entry]!;
  return (
    <div id="player" role="group" aria-label="Replay">
      <select
        id="replayed-file"
        aria-label="Replayed file"
        value={name}
        onChange={event => app.openFile(event.currentTarget.value)}
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
          onClick={() => app.stepBy(-1)}
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
            {length <= MOST_BEADS && <Beads steps={steps} isPlaced />}
          </div>
        </div>
        <Button
          id="later"
          aria-label="Later edit of this file"
          title="Later (→)"
          onClick={() => app.stepBy(1)}
          words="›"
        />
        <span id="position">{where}</span>
      </div>
    </div>
  );
}

/** Beads for the newest edits of a file, in the colours of who made them. `isPlaced`: each below its place of the slider. */
export function Beads({ steps, isPlaced }: { steps: FileStory['steps']; isPlaced?: boolean }): VNode {
  const { story } = app;
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
