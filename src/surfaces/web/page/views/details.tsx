/** The chosen entry above its diff: what, why, who, when, and what it has to do with others. */

import type { ComponentChildren, VNode } from 'preact';
import { count } from '../elements/text.ts';
import { Button, Copyable, Path, paragraph, Stat, Time, visible } from '../elements/words.tsx';
import { verbOf } from '../model/story.ts';
import { app } from '../parts.ts';

export function Details(): VNode {
  const { index } = app;
  const isShown = app.state.view !== 'review' && index !== null;
  return (
    <div id="details" hidden={!isShown}>
      {isShown && <Entry index={index} />}
    </div>
  );
}

function Entry({ index }: { index: number }): VNode {
  const { story } = app;
  const { reason, became } = story.entries[index]!;
  return (
    <>
      <h2 class={story.isBack(index) ? 'undone' : ''}>
        <What index={index} /> <Stat {...story.sumOf(index)} />
        {became !== '' && <span class="badge">{visible(became)}</span>}
      </h2>
      {reason !== '' && <p class="reason">{paragraph(reason)}</p>}
      <Facts index={index} />
      <Relations index={index} />
    </>
  );
}

function What({ index }: { index: number }): VNode {
  const { op, files, subject } = app.story.entries[index]!;
  if (op === null || files.length === 0) return <>{visible(subject)}</>;
  return (
    <>
      {files.length === 1 ? <Path path={files[0]!.path} /> : count(files.length, 'file')}{' '}
      <span class="op" title={op}>
        {verbOf(op)}
      </span>
    </>
  );
}

function Facts({ index }: { index: number }): VNode {
  const { story } = app;
  const group = story.groupOf(index);
  const { agent, session, model, time, commit, base, status } = story.entries[index]!;
  const isKnown = agent !== null || session !== null || group.session === null;
  const facts: Array<[string, ComponentChildren]> = [
    [group.session === null ? 'From' : 'Agent', isKnown && [<span class="swatch" />, visible(group.name)]],
    ['Model', model !== null && visible(model)],
    ['Session', session !== null && group.name !== `session ${session}` && visible(session)],
    ['When', <Time time={time} as="moment" />],
    ['Commit', <Id of={commit} />],
    ['Landed', status.landed_in !== null && <Id of={status.landed_in} />],
    ['Base', base !== null && <Id of={base} />],
    ['Take it out', story.isRevertible(index) && <Copyable text={`vedit revert ${commit.slice(0, 12)}`} />],
  ];
  return (
    <dl class={`facts ${group.tint}`}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Id({ of: commit }: { of: string }): VNode {
  return <Copyable text={commit.slice(0, 12)} />;
}

function Relations({ index }: { index: number }): VNode | null {
  const relations = app.story.relationsOf(index);
  if (relations.length === 0) return null;
  return (
    <ul class="relations">
      {relations.map(({ words, entry }) => {
        const { commit, subject } = app.story.entries[entry]!;
        return (
          <li>
            {words} <EntryLink commit={commit} words={visible(subject)} />
          </li>
        );
      })}
    </ul>
  );
}

export function EntryLink({ commit, words }: { commit: string; words: ComponentChildren }): VNode {
  return <Button class="link" onClick={() => app.choose(commit)} words={words} />;
}
