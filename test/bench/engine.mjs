/**
 * A child process with one open workspace: edits on request, and says how long each took, answer included, and how much
 * processor time, by the library of `--build`. On disk in `folder`, or in a file system in memory (`--memory`) with as many files.
 */

import { parseArgs } from 'node:util';
import { contentOf, countIn, Files, pathOf } from './repository.mjs';

const WARM_UP = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    build: { type: 'string' },
    durability: { type: 'string' },
    row: { type: 'string', default: '1' },
    memory: { type: 'boolean', default: false },
    together: { type: 'string' },
  },
});
const [folder, files] = [positionals[0], Number(positionals[1])];
const { initRepository, memoryFs, openWorkspace } = await import(values.build);
const workspace = values.memory ? await inMemory() : await onDisk();
const session = workspace.session({ agent: 'bench' });
const { nextEdit } = values.memory || values.together ? counted() : new Files(folder, files).edits();

function onDisk() {
  return openWorkspace({ root: folder, durability: values.durability });
}

async function inMemory() {
  const fs = memoryFs();
  await initRepository({ root: '/repo', fs });
  for (let index = 0; index < files; index++) {
    const path = `/repo/${pathOf(index)}`;
    await fs.promises.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true });
    await fs.promises.writeFile(path, contentOf(index, 0));
  }
  return openWorkspace({ root: '/repo', fs, durability: values.durability });
}

/** What `Files` reads from the disk before each edit is counted here. */
function counted() {
  const counts = Array.from({ length: files }, (_, index) =>
    values.memory ? 0 : countIn(folder, pathOf(index)),
  );
  let next = 0;
  return {
    nextEdit() {
      const index = (next++ * 7919) % files;
      const count = counts[index]++;
      return { path: pathOf(index), old_str: `count ${count}\n`, new_str: `count ${count + 1}\n` };
    },
  };
}

const edit = () => session.edit('str_replace', nextEdit());

/** The mean of so many edits, each begun when the one before it is answered. */
async function inARow(count) {
  let [time, cpu] = [0, 0];
  for (let done = 0; done < count; done++) {
    const input = nextEdit();
    const [start, used] = [performance.now(), process.cpuUsage()];
    await session.edit('str_replace', input);
    time += performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    cpu += (user + system) / 1000;
  }
  return { time: time / count, cpu: cpu / count };
}

/** The mean of so many edits that are all begun at once, each of a file of its own. */
async function atOnce(count) {
  const inputs = Array.from({ length: count }, nextEdit);
  const [start, used] = [performance.now(), process.cpuUsage()];
  await Promise.all(inputs.map(input => session.edit('str_replace', input)));
  const { user, system } = process.cpuUsage(used);
  return { time: (performance.now() - start) / count, cpu: (user + system) / 1000 / count };
}

process.on('message', async () => {
  try {
    process.send(await (values.together ? atOnce(Number(values.together)) : inARow(Number(values.row))));
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.on('disconnect', () => workspace.close());
for (let warm = 0; warm < WARM_UP; warm++) await edit();
process.send('ready');
