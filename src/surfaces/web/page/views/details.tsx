/** The chosen entry above its diff: what, why, who, when, and what it has to do with others. */

import type { ComponentChildren, VNode } from 'preact';
import type { App } from '../app.ts';
import { count } from '../elements/text.ts';
import { Copyable, Path, paragraph, Stat, Time, visible } from '../elements/words.tsx';
import { verbOf } from '../model/verbs.ts';

export function Details({ app }: { app: App }): VNode {
  const { view, chosen, file, step } = app.state;
  const isShown = view !== 'overview' && view !== 'review' && chosen !== null;
  const isBefore = view !== 'changes' && file !== null && step === 0;
  return (
    <div id="details" hidden={!isShown}>
      {isShown &&
        (isBefore ? <BeforeAll name={app.story.files[file]!.name} /> : <Entry app={app} index={chosen} />)}
    </div>
  );
}

function BeforeAll({ name }: { name: string }): VNode {
  return (
    <h2>
      <Path path={name} />
      <span class="dim"> before the first edit in this page</span>
    </h2>
  );
}

function Entry({ app, index }: { app: App; index: number }): VNode {
  const { story } = app;
  const { reason, became } = story.entries[index]!;
  return (
    <>
      <h2 class={story.isBack(index) ? 'undone' : ''}>
        <What app={app} index={index} /> <Stat {...story.sum([index])} />
        {became !== '' && <span class="badge">{visible(became)}</span>}
      </h2>
      {reason !== '' && <p class="reason">{paragraph(reason)}</p>}
      <Facts app={app} index={index} />
      <Relations app={app} index={index} />
    </>
  );
}

function What({ app, index }: { app: App; index: number }): VNode {
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

function Facts({ app, index }: { app: App; index: number }): VNode {
  const { story } = app;
  const group = story.groupOf(index);
  const { agent, session, model, time, commit, base, status } = story.entries[index]!;
  const isKnown = agent !== null || session !== null || group.session === null;
  const canRevert = story.isEdit(index) && !story.isBack(index);
  const facts: Array<[string, ComponentChildren]> = [
    [group.session === null ? 'From' : 'Agent', isKnown && [<span class="swatch" />, visible(group.name)]],
    ['Model', model !== null && visible(model)],
    ['Session', session !== null && group.name !== `session ${session}` && visible(session)],
    ['When', <Time time={time} as="moment" />],
    ['Commit', <Id of={commit} />],
    ['Landed', status.landed_in !== null && <Id of={status.landed_in} />],
    ['Base', base !== null && <Id of={base} />],
    ['Take it out', canRevert && <Copyable text={`vedit revert ${commit.slice(0, 12)}`} />],
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

function Relations({ app, index }: { app: App; index: number }): VNode | null {
  const relations = app.story.relationsOf(index);
  if (relations.length === 0) return null;
  return (
    <ul class="relations">
      {relations.map(({ words, entry }) => {
        const { commit, subject } = app.story.entries[entry]!;
        return (
          <li>
            {words}{' '}
            <button type="button" class="link" onClick={() => app.chooseCommit(commit)}>
              {visible(subject)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
