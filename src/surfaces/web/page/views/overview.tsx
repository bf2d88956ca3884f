/** The overview: a sentence, how much each edit changed, who did how much, and where. */

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Group } from '../contract.ts';
import { Button } from '../elements/button.tsx';
import { count, number, plain, span } from '../elements/text.ts';
import { Dim, Path, Stat, visible } from '../elements/words.tsx';
import type { FileStory } from '../model/file-story.ts';
import { type Story, sumOf } from '../model/story.ts';
import { app } from '../parts.ts';
import { Beads } from './player.tsx';

/** Files that the table names; all of them are in the list's filter. */
const MOST_FILES = 200;

export function Overview(): VNode {
  const { story } = app;
  return useMemo(() => {
    if (story.entries.length === 0)
      return <p class="lead">Nothing was edited yet. The first edit will be here.</p>;
    return (
      <>
        <h2 class="lead">{sentence(story)}</h2>
        <Strip />
        <h3>Who</h3>
        <ul class="cards">
          {story.groups.map(group => (
            <Card group={group} />
          ))}
        </ul>
        <h3>Where</h3>
        <Files />
      </>
    );
  }, [story]);
}

/** Sums it up: `12 edits of 3 files by 2 sessions; 1 was taken back, 1 change came from outside.` */
function sentence(story: Story): string {
  const sessions = story.groups.filter(group => group.session !== null).length;
  const all = [...story.entries.keys()];
  const edits = all.filter(index => story.isEdit(index));
  const undone = all.filter(index => story.isBack(index)).length;
  const landed = edits.filter(index => story.entries[index]!.status.landed_in !== null).length;
  const outside = all.filter(index => ['outside', 'commit', 'sync'].includes(story.kindOf(index))).length;
  const rest = [
    undone > 0 && `${number(undone)} ${undone === 1 ? 'was' : 'were'} taken back`,
    landed > 0 && `${number(landed)} ${landed === 1 ? 'has' : 'have'} landed on a branch`,
    outside > 0 && `${count(outside, 'change')} came from outside`,
  ].filter(part => part !== false);
  const by = sessions > 0 ? ` by ${count(sessions, 'session')}` : '';
  const start = `${count(edits.length, 'edit')} of ${count(story.files.length, 'file')}${by}`;
  return rest.length > 0 ? `${start}; ${rest.join(', ')}.` : `${start}.`;
}

/** Draws a bar for each entry, oldest first: up what it added, down what it removed. The keyboard has the list for that. */
function Strip(): VNode {
  const { story } = app;
  const { entries } = story;
  const sums = entries.map((_, index) => story.sum([index]));
  const most = Math.max(1, ...sums.flatMap(({ added, removed }) => [added, removed]));
  const height = (lines: number): number => Math.max(1.5, 28 * Math.sqrt(lines / most));
  return (
    <figure class="strip">
      <svg viewBox={`0 0 ${entries.length} 60`} preserveAspectRatio="none" aria-hidden="true">
        {sums.map(({ added, removed }, index) => (
          <Bar
            index={index}
            up={removed > 0 && added === 0 ? 0 : height(added)}
            down={removed > 0 ? height(removed) : 0}
          />
        ))}
      </svg>
      <figcaption>
        {span(entries.at(-1)!.time, entries[0]!.time)}
        <span class="dim"> · lines added and removed by each edit</span>
      </figcaption>
    </figure>
  );
}

function Bar({ index, up, down }: { index: number; up: number; down: number }): VNode {
  const { story } = app;
  const x = story.entries.length - 1 - index;
  const name = `bar ${story.groupOf(index).tint}${story.isBack(index) ? ' undone' : ''}`;
  return (
    <g class={name} onClick={() => app.choose(story.entries[index]!.commit)}>
      <title>{plain(story.entries[index]!.subject)}</title>
      <rect x={x} y={0} width={1} height={60} class="hit" />
      <rect x={x + 0.12} y={29.5 - up} width={0.76} height={up} class="up" />
      <rect x={x + 0.12} y={30.5} width={0.76} height={down} class="down" />
    </g>
  );
}

function Card({ group }: { group: Group }): VNode {
  const { story } = app;
  const { key: onlyGroup, name, session, model, entries, tint } = group;
  const undone = entries.filter(index => story.isBack(index)).length;
  const edits = entries.filter(index => story.isEdit(index)).length;
  const about = [session !== null && `session ${session}`, model].filter(Boolean).join(', ');
  return (
    <li>
      <button type="button" class={`card ${tint}`} onClick={() => app.narrow({ onlyGroup })}>
        <strong>
          <span class="swatch" />
          {visible(name)}
        </strong>
        {about !== '' && <span class="dim">{visible(about)}</span>}
        <span>
          {session === null ? count(entries.length, 'change') : count(edits, 'edit')}
          {undone > 0 && `, ${number(undone)} taken back`} <Stat {...story.sum(entries)} />
        </span>
      </button>
    </li>
  );
}

/** Lists the files, the most edited first. */
function Files(): VNode {
  const order = [...app.story.files].sort((a, b) => b.steps.length - a.steps.length);
  const left = order.length - MOST_FILES;
  return (
    <>
      <table class="files">
        <thead>
          <tr>
            {['File', 'Changes', 'Lines', 'Replay'].map((head, at) => (
              <th scope="col" class={at === 0 ? '' : at === 3 ? 'unseen' : 'right'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.slice(0, MOST_FILES).map(file => (
            <FileRow name={file.name} steps={file.steps} />
          ))}
        </tbody>
      </table>
      {left > 0 && <Dim>and {count(left, 'more file')}</Dim>}
    </>
  );
}

function FileRow({ name, steps }: Pick<FileStory, 'name' | 'steps'>): VNode {
  const title = plain(name);
  const only = (): void => app.narrow({ onlyFile: name });
  return (
    <tr>
      <th scope="row">
        <Button {...{ class: 'link', title, onClick: only, words: <Path path={name} /> }} />
        <span class="beads" aria-hidden="true">
          <Beads steps={steps} />
        </span>
      </th>
      <td class="right">{number(steps.length)}</td>
      <td class="right">
        <Stat {...sumOf(steps.map(({ change }) => change))} />
      </td>
      <td class="right">
        <Button aria-label={`Replay ${title}`} onClick={() => app.replay(name)} words="Replay" />
      </td>
    </tr>
  );
}
