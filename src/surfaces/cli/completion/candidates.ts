/** Names that there are, for a shell that completes a word: each with what is known of it. */

import type { Call, LISTED_KINDS } from '../command.ts';
import type { TrailOptions } from '../input/options.ts';
import { counted } from '../views/counted.ts';

/** The kinds of names that only the repository knows. */
export type RepositoryKind = Exclude<(typeof LISTED_KINDS)[number], 'command'>;

/** A name, and what it is. */
export type Candidate = readonly [name: string, about: string];

/** The number of commits that are offered. */
const COMMITS = 50;

/** Nothing where there is no repository: a shell that completes a word shows no refusal. */
export async function candidates(call: Call<TrailOptions>, kind: RepositoryKind): Promise<Candidate[]> {
  try {
    return await namesOf(call, kind);
  } catch {
    return [];
  }
}

async function namesOf(call: Call<TrailOptions>, kind: RepositoryKind): Promise<Candidate[]> {
  const { withEngine } = await import('../engine.ts');
  return withEngine(call, async ({ workspace, session, root }) => {
    if (kind === 'branch') return branches(call, root);
    if (kind === 'trail') {
      const { data } = await workspace.trails();
      const own = data.trails.filter(one => !one.checked_out);
      const names = own.map(
        (one): Candidate => [one.name.replace(/^vedit\//, ''), counted(one.edits, 'edit')],
      );
      const { peers } = (await workspace.peers()).data;
      return [...names, ...peers.map((one): Candidate => [one.name, one.agent ?? 'another clone'])];
    }
    if (kind === 'commit' || kind === 'op') {
      const found: Candidate[] = [];
      for await (const one of session.entries({ limit: COMMITS }))
        found.push(kind === 'commit' ? [one.commit.slice(0, 7), one.subject] : [one.op ?? '', 'edit']);
      return kind === 'commit' ? [['@', 'the newest'], ...found] : once(found);
    }
    const { data } = await workspace.sessions();
    const words = data.sessions.map(({ session: id, agent, author, edits }): Candidate => {
      const about = counted(edits, 'edit');
      return kind === 'session' ? [id, `${agent ?? author}, ${about}`] : [agent ?? '', about];
    });
    return once(words);
  });
}

async function branches({ terminal }: Call, root: string): Promise<Candidate[]> {
  const { quietGit, systemGit } = await import('../../../workspace/land/git/system-git.ts');
  const git = quietGit(await systemGit(terminal.env));
  const args = ['for-each-ref', '--format=%(refname:short)', 'refs/heads'];
  const result = await git({ args, cwd: root });
  return (result?.stdout ?? '')
    .split('\n')
    .map(name => [name, 'branch'] as const)
    .filter(([name]) => name !== '');
}

function once(list: readonly Candidate[]): Candidate[] {
  const known = new Map(list.filter(([name]) => name !== '').map(one => [one[0], one]));
  return [...known.values()];
}
