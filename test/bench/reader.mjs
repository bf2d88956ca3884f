/** A child process that reads a long history on request: the workspace is opened anew each time, as a command does. */

import { openWorkspace } from '../../dist/lib/index.js';

const [, , folder, what, path] = process.argv;

const READS = {
  status: session => session.status(),
  log: session => session.log({ limit: 20 }),
  'log of a file': session => session.log({ path }),
  blame: session => session.blame({ path }),
  undo: session => session.undo({ scope: 'trail' }),
};

async function timedRead() {
  const start = performance.now();
  const workspace = await openWorkspace({ root: folder });
  const session = workspace.session({ agent: 'bench' });
  await READS[what](session);
  const time = performance.now() - start;
  if (what === 'undo') await session.redo({ scope: 'trail' });
  await workspace.close();
  return time;
}

process.on('message', async () => {
  try {
    process.send({ time: await timedRead() });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.send('ready');
