/** Many agents on one repository, as processes and in one process. */

import { rmSync } from 'node:fs';
import { openWorkspace } from '../../src/index.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import {
  differing,
  gitFaults,
  lostEdits,
  residue,
  startRepository,
  trailOf,
  unclean,
} from '../helpers/shared-repository.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { type Ack, SHARED, startAgent, startCommand } from './agents.ts';

/** `agents` processes make `count` edits each, some of them of the same file; the last of them by the command line. */
export async function raceProcesses(
  own: boolean,
  agents: number,
  count: number,
  tally: Tally,
): Promise<void> {
  const repo = startRepository(own);
  const options = { patience: { engine: 120_000 } };
  const running = Array.from({ length: agents }, (_, i) =>
    (i === agents - 1 ? startCommand : startAgent)(repo, { name: `agent${i}`, count, options }),
  );
  const ends = await Promise.all(running.map(agent => agent.done));
  const acks = running.flatMap(agent => agent.acks);
  const refused = running.flatMap(agent => agent.refused);
  // The command line waits for ten seconds, and a refusal is an answer, too.
  const locked = refused.filter(text => text.startsWith('LOCKED ')).length;
  const failed = ends.filter(end => end.error !== '').map(end => `an agent failed: ${end.error}`);
  const all = acks.length + locked === agents * count;
  const missing = all ? [] : [`only ${acks.length} edits were acknowledged`, ...refused];
  check(repo, own, acks, [...failed, ...missing], tally);
}

/** `count` edits that nobody waits for, in one process. */
export async function raceUnawaited(own: boolean, count: number, tally: Tally): Promise<void> {
  const repo = startRepository(own);
  const workspace = await openWorkspace({ root: repo.dir });
  const session = workspace.session({ id: 'one', agent: 'one' });
  const edits = Array.from({ length: count }, async (_, n) => {
    const id = `one-${n}`;
    const edit = { path: SHARED, old_str: 'END\n', new_str: `${id}\nEND\n`, edit_id: id };
    return { id, commit: (await session.edit('str_replace', edit)).data.commit! };
  });
  const acks = await Promise.all(edits);
  await workspace.close();
  check(repo, own, acks, [], tally);
}

function check(
  repo: Sandbox,
  own: boolean,
  acks: readonly Ack[],
  found: readonly string[],
  tally: Tally,
): void {
  const trail = trailOf(own);
  const merges = repo.git('rev-list', '--min-parents=2', trail);
  const commits = Number(repo.git('rev-list', '--count', trail));
  note(tally, own ? 'on the branch' : 'beside the branch', [
    ...found,
    ...lostEdits(repo, trail, acks),
    ...gitFaults(repo),
    ...differing(repo, trail),
    ...residue(repo),
    ...unclean(repo, own),
    ...(merges === '' && commits === acks.length + 1 ? [] : [`${commits} commits, merges: ${merges}`]),
  ]);
  tally.points += acks.length;
  tally.states++;
  rmSync(repo.dir, { recursive: true });
}
