/**
 * A child process with an open workspace that makes edits as it is told, each a list of calls of `session.edit`; more than
 * one is a change. It answers what each cost, and `peak` the most memory that it had, in MiB.
 */

import { openWorkspace } from '../../../dist/lib/index.js';

const [, , folder] = process.argv;
const workspace = await openWorkspace({ root: folder });
const session = workspace.session({ agent: 'bench' });

async function run(calls) {
  if (calls.length > 1) return session.change(calls);
  const [{ edit, ...input }] = calls;
  return session.edit(edit, input);
}

process.on('message', async calls => {
  try {
    const [cpu, start] = [process.cpuUsage(), performance.now()];
    await run(calls);
    const wall = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    process.send({ wall, cpu: (user + system) / 1000, peak: process.resourceUsage().maxRSS / 1024 });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.on('disconnect', () => void workspace.close());
process.send('ready');
