/**
 * One host as a process of its own, on the built engine. Argument: JSON of the folder, the host's name, the number of edits
 * and that of the first, the paths that all hosts edit, milliseconds between edits, and `when` and `interval` of its syncs. Writes
 * lines of JSON at once: when it begins, for each edit that was acknowledged, for each edit that was put aside, and what its
 * syncs came to. It ends when all of its edits are on the server, or `tries` syncs have failed.
 */

import { writeSync } from 'node:fs';
import { openWorkspace, systemGit } from '../../../dist/index.js';

const given = JSON.parse(process.argv[2]);
const {
  root,
  name,
  count,
  first = 0,
  shared,
  pause = 0,
  when = 'interval',
  interval = 50,
  tries = 400,
} = given;
const say = line => writeSync(1, `${JSON.stringify(line)}\n`);
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
const { PATH } = process.env;
const git = await systemGit({
  PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
});

/** Its own document, its own place in a shared one, and the end of a shared one, where others write too. */
function editOf(n) {
  const marker = `${name}-${n}`;
  const path = n % 4 === 0 || n % 4 === 2 ? `own/${name}.txt` : shared[n % shared.length];
  const anchor = n % 4 === 3 ? 'END' : `[${name}]`;
  return { path, old_str: `${anchor}\n`, new_str: `${marker}\n${anchor}\n`, edit_id: marker };
}

const totals = { rounds: 0, pulled: 0, pushed: 0, pushes: 0, merges: 0, outrun: 0, failed: {} };
function note(data, error) {
  totals.rounds++;
  if (error) {
    const why = `${error.code}: ${(error.data.words || error.message).split('\n')[0].slice(0, 100)}`;
    totals.failed[why] = (totals.failed[why] ?? 0) + 1;
  }
  if (error && !error.retryable) say({ stuck: `${error.code}: ${error.message}` });
  if (!data) return;
  totals.pulled += data.pulled;
  totals.pushed += data.pushed;
  if (data.pushed > 0) totals.pushes++;
  totals.merges += data.merges.length;
  totals.outrun += data.outrun;
}

const onEvent = event => {
  if (event.kind === 'aside')
    for (const { commit, path, merge } of event.edits) say({ aside: commit, path, merge });
  if (event.kind === 'sync') note(event.data, event.error);
};

say({ begins: true });
const options = { git, onConflict: 'server', withUnpushedCommits: true, timeout: given.timeout ?? 20_000 };
const waits = when === 'before-answer';
const workspace = await openWorkspace({
  root,
  onEvent,
  patience: { engine: 60_000 },
  ...(waits ? { sync: { ...options, when } } : {}),
});
const begun = Date.now();
let isOver = false;
const syncs = async () => {
  for (let failures = 0; failures < tries; ) {
    const wasOver = isOver;
    try {
      const { data } = await workspace.sync(options);
      note(data, null);
      failures = 0;
      if (wasOver) return;
    } catch (error) {
      note(null, error);
      failures++;
    }
    await sleep(interval);
  }
  say({ gaveUp: true });
};
const syncing = waits ? null : syncs();
let waited = 0;
for (let n = first; n < first + count; n++) {
  const session = workspace.session({ id: name, agent: name });
  const edit = editOf(n);
  const start = Date.now();
  try {
    const { commit, sync } = (await session.edit('str_replace', edit)).data;
    say({ id: edit.edit_id, path: edit.path, commit, sync });
  } catch (error) {
    say({ refused: `${error.code ?? 'a crash'} ${edit.edit_id}: ${error.message}` });
  }
  waited += Date.now() - start;
  if (pause > 0) await sleep(pause);
}
const edited = Date.now() - begun;
isOver = true;
await syncing;
if (waits) await syncs();
const ms = Date.now() - begun;
say({ totals: { ...totals, edited, waited, ms } });
await workspace.close();
