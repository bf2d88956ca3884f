/** The acts of acts.ts, by the real git and the engine. What is refused comes to nothing. */

import { agentAt } from '../../helpers/agent-events.ts';
import { git } from '../../helpers/landing.ts';
import { changed, type Draw, pick } from './acts.ts';
import { applied, changes, isSame, merged } from './lines.ts';
import type { RealRepo } from './real.ts';
import { PATHS } from './world.ts';

type RealAct = (real: RealRepo, draw: Draw) => unknown;

const edit: RealAct = (real, draw) => {
  const both = draw(5) === 0 ? PATHS : [pick(draw, PATHS)!];
  const session = real.sessions[draw(2)]!;
  const { work } = real;
  const inputs = both.map(path => {
    const once = changed(real, draw, work[path]!);
    return real.input(path, draw(4) === 0 ? changed(real, draw, once) : once);
  });
  return session.change(inputs.map(input => ({ edit: 'create', ...input })));
};

const type: RealAct = (real, draw) => {
  const path = pick(draw, PATHS)!;
  real.write(path, changed(real, draw, real.work[path]!));
};

/** By an agent's own command, in one of its turns. */
const shell: RealAct = async (real, draw) => {
  const agent = agentAt(real.repo);
  await agent.tells('prompt');
  await agent.tells('before');
  await type(real, draw);
  await agent.tells('after');
  if (draw(2)) await agent.tells('stop');
};

const looked: RealAct = (real, draw) => real.sessions[0]!.record([pick(draw, PATHS)!], { outside: true });

const undo: RealAct = (real, draw) =>
  real.sessions[draw(2)]!.undo({ count: 1 + draw(2), scope: draw(4) ? 'trail' : 'session' });

const redo: RealAct = (real, draw) => real.sessions[draw(2)]!.redo({ scope: draw(4) ? 'trail' : 'session' });

const revert: RealAct = (real, draw) => real.sessions[draw(2)]!.revert(`~${draw(4)}`);

const rollback: RealAct = (real, draw) =>
  real.sessions[draw(2)]!.rollback(
    `~${draw(4)}`,
    draw(2) ? { paths: [pick(draw, PATHS)!] } : { withOthers: true },
  );

const reject: RealAct = async (real, draw) => {
  const hunk = pick(draw, (await real.workspace.review()).data.hunks);
  if (!hunk) return;
  const { commit: at, path, lines, version } = hunk;
  await real.workspace.reject({ at, path, lines, ...(version ? { version } : {}), reason: 'no' });
};

const unreject: RealAct = real => real.workspace.unreview();

const accept: RealAct = (real, draw) =>
  real.workspace.accept(draw(2) ? { all: true } : { path: pick(draw, PATHS)! });

/** What the trail of the branch held at one of its newest commits. */
function older(real: RealRepo, draw: Draw): ReturnType<RealRepo['filesOf']>[number] | undefined {
  const branch = real.git('symbolic-ref', '--short', 'HEAD');
  const commit = pick(draw, real.git('rev-list', '-n', '8', `refs/vedit/${branch}`, '--').split('\n'));
  return commit ? real.filesOf(commit)[0] : undefined;
}

const setBack: RealAct = (real, draw) => {
  const path = pick(draw, PATHS)!;
  const old = draw(2) ? real.filesOf('HEAD')[0]! : older(real, draw);
  if (!old) return;
  const text = real.work[path]!;
  const all = changes(text, old[path]!);
  real.write(path, applied(text, draw(3) === 0 ? all : all.filter(() => draw(2))));
};

const typeAgain: RealAct = (real, draw) => {
  const path = pick(draw, PATHS)!;
  const old = older(real, draw);
  const text = old && merged(real.filesOf('HEAD')[0]![path]!, real.work[path]!, old[path]!);
  if (text) real.write(path, text);
};

const stage: RealAct = (real, draw) => {
  const path = pick(draw, PATHS)!;
  const [index] = real.filesOf('');
  const all = changes(index![path]!, real.work[path]!);
  const text = applied(index![path]!, draw(2) ? all : all.filter(() => draw(2)));
  if (!isSame(text, index![path]!)) real.stage(path, text);
};

const above = (draw: Draw): string => (draw(2) ? 'HEAD~1' : 'HEAD~2');

function branchOf(real: RealRepo, draw: Draw): string {
  return pick(draw, real.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n'))!;
}

const resetHard: RealAct = (real, draw) =>
  real.git(
    'reset',
    '-q',
    '--hard',
    draw(3) === 0 ? 'HEAD' : draw(4) === 0 ? branchOf(real, draw) : above(draw),
  );

const resetSoft: RealAct = (real, draw) =>
  real.git('reset', '-q', draw(2) ? '--soft' : '--mixed', above(draw));

const restoreFile: RealAct = (real, draw) =>
  real.git('restore', ...(draw(2) ? [] : [`--source=${above(draw)}`]), pick(draw, PATHS)!);

const stash: RealAct = (real, draw) =>
  real.git('stash', 'push', '-q', ...(draw(4) ? [] : [pick(draw, PATHS)!]));

const pop: RealAct = (real, draw) =>
  real.git('stash', draw(4) ? 'pop' : 'apply', '-q', `stash@{${draw(2) && draw(3)}}`);

const makeBranch: RealAct = (real, draw) => {
  const name = `topic-${draw(4)}`;
  if (draw(4)) real.git('switch', '-q', '-c', name, draw(3) ? 'HEAD' : above(draw));
  else real.git('branch', name);
};

const land: RealAct = async (real, draw) => {
  const message = 'landed';
  if (draw(2)) return real.workspace.land({ git, message, ...(draw(2) ? { outside: true } : {}) });
  const { entries } = (await real.sessions[0]!.log({ limit: 8 })).data;
  const entry = pick(draw, entries);
  if (entry) await real.workspace.land({ git, message, commits: [entry.commit] });
};

/** By name, with how many of a hundred they are. */
const ACTS: ReadonlyArray<readonly [name: string, weight: number, act: RealAct]> = [
  ['an edit', 24, edit],
  ['typed by hand', 7, type],
  ['a shell writes', 4, shell],
  ['looked at', 2, looked],
  ['undo', 5, undo],
  ['redo', 3, redo],
  ['revert', 3, revert],
  ['rollback', 2, rollback],
  ['reject', 6, reject],
  ['take a rejection back', 3, unreject],
  ['accept', 2, accept],
  ['set back by hand', 5, setBack],
  ['typed again', 4, typeAgain],
  ['commit all', 4, real => real.git('commit', '-qam', 'all')],
  ['stage', 4, stage],
  ['commit the index', 3, real => real.git('commit', '-qm', 'index')],
  [
    'amend',
    2,
    (real, draw) => real.git('commit', '-q', '--amend', ...(draw(2) ? ['-a'] : []), '-m', 'amended'),
  ],
  ['reset --hard', 2, resetHard],
  ['reset --soft', 2, resetSoft],
  ['restore a file', 2, restoreFile],
  ['stash', 4, stash],
  ['stash pop', 5, pop],
  ['stash drop', 1, real => real.git('stash', 'drop', '-q')],
  ['switch', 3, (real, draw) => real.git('switch', '-q', branchOf(real, draw))],
  ['branch', 2, makeBranch],
  ['merge', 1, (real, draw) => real.git('merge', '-q', '-m', 'merged', branchOf(real, draw))],
  ['rebase', 2, (real, draw) => real.git('rebase', '-q', '--autostash', branchOf(real, draw))],
  ['land', 4, land],
];

const WEIGHT = ACTS.reduce((sum, [, weight]) => sum + weight, 0);

/** Does one of them, drawn by lot, and answers its name; with `!` and the code where it is refused. */
export async function act(real: RealRepo, draw: Draw): Promise<string> {
  let at = draw(WEIGHT);
  const [name, , run] = ACTS.find(([, weight]) => (at -= weight) < 0)!;
  const refused = await Promise.resolve()
    .then(() => run(real, draw))
    .then(
      () => null,
      error => error.code ?? String(error),
    );
  real.tidy();
  return refused === null ? name : `${name} !${refused}`;
}
