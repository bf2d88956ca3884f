/** Replays a file: a slider over its edits, steps, play. It stays in place while the text below it changes. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { type App, isReplayed } from '../app.ts';
import { count, plain, shortPath } from '../elements/text.ts';

/** Edits of which each has a bead below the slider. */
const MOST_BEADS = 80;

export function Player({ app }: { app: App }): VNode | null {
  const { story, state } = app;
  const { file, step, view } = state;
  const options = useMemo(
    () => story.files.map(({ name }, value) => <option value={value}>{shortPath(name)}</option>),
    [story],
  );
  const told = file === null ? null : story.files[file]!;
  if (told === null || !isReplayed(view)) return null;
  const { length } = told.steps;
  const where = step === 0 ? `before its ${count(length, 'edit')}` : `edit ${step} of ${length}`;
  const entry = step === 0 ? null : story.entries[told.steps[step - 1]!.entry]!;
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
        <button type="button" id="play" aria-pressed={app.isPlaying} onClick={() => app.play()}>
          {app.isPlaying ? 'Pause' : 'Play'}
        </button>
        <StepButton
          id="earlier"
          label="Earlier edit of this file"
          title="Earlier (←)"
          step={() => app.step(-1)}
        >
          ‹
        </StepButton>
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
            {length <= MOST_BEADS && <Beads app={app} file={file!} isPlaced />}
          </div>
        </div>
        <StepButton id="later" label="Later edit of this file" title="Later (→)" step={() => app.step(1)}>
          ›
        </StepButton>
        <span id="position">{where}</span>
      </div>
    </div>
  );
}

interface StepButtonProps {
  id: string;
  label: string;
  title: string;
  children: string;
  step(): void;
}

export function StepButton({ id, label, title, children, step }: StepButtonProps): VNode {
  return (
    <button type="button" id={id} aria-label={label} title={title} onClick={step}>
      {children}
    </button>
  );
}

/** Beads for the newest edits of a file, in the colours of who made them. `isPlaced`: each below its place of the slider. */
export function Beads({ app, file, isPlaced }: { app: App; file: number; isPlaced?: boolean }): VNode {
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
