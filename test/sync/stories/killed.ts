/** A host that is killed at random moments of fetch, merge and push, again and again, while another one goes on. */

import { edit } from '../../helpers/clones.ts';
import { bareServer, httpServer } from '../../helpers/git-servers.ts';
import { sync } from '../hosts.ts';
import { type Ack, broken, settle, startHost, startHosts } from './host-processes.ts';

/** Answers what is wrong, and how many edits were acknowledged. */
export async function killedHost(
  rounds: number,
  random: () => number,
): Promise<{ wrong: string[]; edits: number }> {
  const server = bareServer();
  const { url } = await httpServer(server);
  const places = await startHosts(server, ['one', 'two']);
  const [victim, other] = places;
  victim!.git('remote', 'set-url', 'origin', url);
  const acks: Ack[] = [];
  const wrong: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const host = startHost(victim!, {
      name: 'one',
      count: 1_000,
      first: round * 1_000,
      pause: 40,
      interval: 0,
    });
    await host.begun;
    const path = 'shared/b.txt';
    const id = `two-${round}`;
    const commit = await edit(other!, path, 'END\n', `${id}\nEND\n`, 'two');
    acks.push({ id, path, commit });
    await sync(other!, { onConflict: 'server' });
    await new Promise(resolve => setTimeout(resolve, 100 + random() * 900));
    host.child.kill('SIGKILL');
    await host.done;
    acks.push(...host.acks);
    wrong.push(...host.wrong.map(one => `round ${round}: ${one}`));
  }
  victim!.git('remote', 'set-url', 'origin', server.dir);
  // A push of the last one that was killed may still be under way.
  await new Promise(resolve => setTimeout(resolve, 1_000));
  await settle(places);
  wrong.push(...(await broken({ server, places, acks, aside: null })));
  return { wrong, edits: acks.length };
}
