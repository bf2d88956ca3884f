/** A child process that follows a repository, and tells of each commit when it heard of it. Argument: the folder. */

import { openWorkspace } from '../../dist/lib/index.js';

const workspace = await openWorkspace({ root: process.argv[2] });
process.once('message', () => workspace.close().then(() => process.disconnect()));
for await (const { kind, commit } of workspace.events({ follow: true }))
  process.send({ kind, commit, at: performance.timeOrigin + performance.now() });
