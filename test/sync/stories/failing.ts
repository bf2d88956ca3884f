/** Two hosts, a server that fails at random, and a person who pushes with plain git. */

import { EditError } from '../../../src/index.ts';
import { cloneOf, git } from '../../helpers/clones.ts';
import { bareServer, httpServer } from '../../helpers/git-servers.ts';
import { FAILURES, failing } from '../../remote/failing-server.ts';
import { type Ack, asideIn, broken, SHARED, settle, startHosts } from './host-processes.ts';

export interface FailingFigures {
  rounds: number;
  /** Syncs by what came of them: `done`, or a code. */
  outcomes: Record<string, number>;
  /** Requests that failed, by how. */
  failures: Record<string, number>;
  aside: number;
}

/** Answers what is wrong. `random` is from 0 to 1. */
export async function failingServer(
  rounds: number,
  random: () => number,
): Promise<{ wrong: string[]; figures: FailingFigures }> {
  const server = bareServer();
  const figures: FailingFigures = { rounds, outcomes: {}, failures: {}, aside: 0 };
  const count = (of: Record<string, number>, what: string): void => {
    of[what] = (of[what] ?? 0) + 1;
  };
  const before = failing(() => {
    if (random() > 0.15) return null;
    const failure = FAILURES[Math.floor(random() * FAILURES.length)]!;
    count(figures.failures, failure);
    return failure;
  });
  const { url } = await httpServer(server, { before });
  const names = ['one', 'two'];
  const places = await startHosts(server, names);
  const person = cloneOf(server, 'person');
  for (const place of places) place.git('remote', 'set-url', 'origin', url);
  const workspaces = await Promise.all(places.map(place => place.open()));
  const acks: Ack[] = [];
  const wrong: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const n = random() < 0.5 ? 0 : 1;
    const name = names[n]!;
    if (random() < 0.1) byHand(person, round);
    const path = random() < 0.3 ? `own/${name}.txt` : SHARED[Math.floor(random() * SHARED.length)]!;
    const anchor = path.startsWith('own') || random() < 0.5 ? `[${name}]` : 'END';
    const id = `${name}-${round}`;
    const input = { path, old_str: `${anchor}\n`, new_str: `${id}\n${anchor}\n`, edit_id: id };
    const { data } = await workspaces[n]!.session({ agent: name, id: name }).edit('str_replace', input);
    acks.push({ id, path, commit: data.commit! });
    const options = { git, onConflict: 'server' as const, withUnpushedCommits: true, timeout: 1_500 };
    const result = await workspaces[n]!.sync(options).then(
      () => 'done',
      (error: unknown) => (error instanceof EditError ? error.code : String(error)),
    );
    count(figures.outcomes, result);
    if (result !== 'done' && result !== 'REMOTE_FAILED') wrong.push(`round ${round}: ${result}`);
  }
  for (const workspace of workspaces) await workspace.close();
  for (const place of places) place.git('remote', 'set-url', 'origin', server.dir);
  await settle(places);
  wrong.push(...(await broken({ server, places, acks, aside: null })));
  figures.aside = asideIn(server).length;
  return { wrong, figures };
}

/** A person pulls, changes a line, and pushes; where a host was faster, they give up. */
function byHand(person: ReturnType<typeof cloneOf>, round: number): void {
  person.git('fetch', '-q', 'origin');
  person.git('reset', '-q', '--hard', 'origin/main');
  person.write(`hand/${round % 5}.txt`, `by hand ${round}\n`);
  person.git('add', '-A');
  person.git('commit', '-qm', `by hand ${round}`);
  person.git('push', '-q', 'origin', 'main');
}
