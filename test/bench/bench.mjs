/** The cost of an edit, measured side by side with git, isomorphic-git and the bare work (npm run bench -- --help). */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareInTurn, bareTogether, engine, isomorphicGit, nativeGit } from './contenders.mjs';
import { addHistory } from './history.mjs';
import { machineFacts } from './machine.mjs';
import { sideBySide } from './measure.mjs';
import { measureMemory } from './memory.mjs';
import { parseOptions } from './options.mjs';
import { measurePatch } from './patch.mjs';
import { processContenders } from './processes.mjs';
import { measureReading } from './reading.mjs';
import { faster, plainRow, print, slower, write } from './report.mjs';
import { copyRepository, git, makeRepository } from './repository.mjs';
import { measureWriters } from './writers.mjs';

const FASTER_BESIDE = { 100: 3, 10000: 10, 100000: 50 };
const FASTER_CHECKED_OUT = { 100: 2, 100000: 5 };
const SAME = 1.3;

const options = parseOptions(process.argv.slice(2));
if (options) await main(options);

async function main(options) {
  const folder = mkdtempSync(join(options.dir ?? tmpdir(), 'vedit-bench-'));
  try {
    const facts = machineFacts(folder);
    const rows = [];
    for (const [part, measure] of Object.entries({
      edits,
      history,
      reading: measureReading,
      patch: measurePatch,
      process: processes,
      memory,
      writers,
    })) {
      if (!options.wants(part)) continue;
      console.error(`${part} ...`);
      rows.push(...(await measure(folder, options)));
    }
    print(facts, rows);
    write(options.out, facts, options, rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rows a to d of one loop: every contender at every size, and the bare work. */
async function edits(folder, options) {
  const contenders = [];
  for (const files of options.files) contenders.push(...(await contendersAt(folder, files)));
  const first = join(folder, `beside-${options.files[0]}`);
  const { sizes, folders } = countWrites(first, options.files[0]);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.error(
    `one edit writes ${sizes.length} files of ${total} bytes, and syncs them and ${folders} folders`,
  );
  contenders.push(bareTogether('bare', join(folder, 'bare'), sizes));
  contenders.push(bareInTurn('bare in turn', join(folder, 'bare-in-turn'), sizes));
  const times = await sideBySide(contenders, options);
  return [...sizeRows(times, options.files), ...bareRows(times, options.files[0], sizes.length)];
}

async function contendersAt(folder, files) {
  const beside = makeRepository(join(folder, `beside-${files}`), files);
  const checkedOut = copyRepository(beside, join(folder, `head-${files}`));
  git(checkedOut, ['config', 'vedit.trail', 'HEAD']);
  const journal = copyRepository(beside, join(folder, `journal-${files}`));
  const row = copyRepository(beside, join(folder, `row-${files}`));
  const native = copyRepository(beside, join(folder, `git-${files}`));
  const isomorphic = copyRepository(beside, join(folder, `isomorphic-${files}`));
  return [
    await engine(`beside ${files}`, beside, files),
    await engine(`journal ${files}`, journal, files, { durability: 'journal' }),
    await engine(`row ${files}`, row, files, { inARow: 10 }),
    await engine(`head ${files}`, checkedOut, files),
    nativeGit(`git ${files}`, native, files),
    await isomorphicGit(`isomorphic ${files}`, isomorphic, files, files > 1000 ? 5 : undefined),
  ];
}

/** One more edit, in a process that counts what it writes. */
function countWrites(repository, files) {
  const script = fileURLToPath(new URL('./count.mjs', import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, [script, repository, String(files)], { encoding: 'utf8' }),
  );
}

function sizeRows(times, sizes) {
  const at = (name, files) => times.get(`${name} ${files}`);
  const rows = [];
  for (const files of sizes) {
    const named = `${files} files`;
    rows.push(
      faster(
        `edit, ${named}`,
        at('beside', files),
        'git add + commit',
        at('git', files),
        FASTER_BESIDE[files],
      ),
    );
    rows.push(
      faster(
        `edit, durability: journal, ${named}`,
        at('journal', files),
        'git add + commit',
        at('git', files),
      ),
    );
    rows.push(
      faster(`one of ten edits in a row, ${named}`, at('row', files), 'git add + commit', at('git', files)),
    );
    rows.push(
      faster(
        `edit on the branch, ${named}`,
        at('head', files),
        'git add + commit',
        at('git', files),
        FASTER_CHECKED_OUT[files],
      ),
    );
    rows.push(
      faster(`edit, ${named}`, at('beside', files), 'isomorphic-git add + commit', at('isomorphic', files)),
    );
  }
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (least !== most) {
    rows.push(slower(`edit, ${most} files`, at('beside', most), `${least} files`, at('beside', least), SAME));
    rows.push(
      slower(`edit on the branch, ${most} files`, at('head', most), `${least} files`, at('head', least)),
    );
  }
  return rows;
}

function bareRows(times, files, count) {
  const edit = times.get(`beside ${files}`);
  return [
    slower(`edit, ${files} files`, edit, `bare work: ${count} files, syncs together`, times.get('bare'), 3),
    slower(`edit, ${files} files`, edit, `bare work: ${count} files in turn`, times.get('bare in turn')),
  ];
}

async function history(folder, options) {
  const [files] = options.files;
  const [short, long] = [100, options.history];
  const contenders = [];
  for (const edits of [short, long]) {
    const repository = makeRepository(join(folder, `history-${edits}`), files);
    addHistory(repository, files, edits);
    contenders.push(await engine(`${edits}`, repository, files));
  }
  const times = await sideBySide(contenders, options);
  return [
    slower(`edit after ${long} edits`, times.get(`${long}`), `after ${short}`, times.get(`${short}`), SAME),
  ];
}

async function processes(folder, options) {
  const rows = [];
  const largest = Math.max(...options.files);
  for (const files of new Set([Math.min(...options.files), largest])) {
    const own = makeRepository(join(folder, `process-${files}`), files);
    const native = copyRepository(own, join(folder, `process-git-${files}`));
    const times = await sideBySide(processContenders(own, native, files), options);
    const named = `vedit replace, ${files} files`;
    rows.push(slower(named, times.get('vedit'), 'node -e 0', times.get('node'), 2.5));
    rows.push(
      faster(
        named,
        times.get('vedit'),
        'git add + commit',
        times.get('git'),
        files === 100_000 ? 1 : undefined,
      ),
    );
  }
  return rows;
}

async function memory(folder, options) {
  const { small, large, mebibytes } = await measureMemory(folder, options);
  const mib = bytes => bytes / 2 ** 20;
  return [
    plainRow({
      what: `peak memory of a first read and edit, pack of ${mebibytes} MiB`,
      against: 'small repository (ratio: MB more)',
      value: mib(large),
      other: mib(small),
      unit: 'MiB',
      ratio: (large - small) / 1e6,
      target: { at: 'most', value: 100 },
    }),
  ];
}

async function writers(folder, options) {
  return (await measureWriters(folder, options)).flatMap(
    ({ processes, rate, one, lost, median, longest }) => [
      plainRow({
        what: `${processes} processes, one repository`,
        against: 'one process',
        value: rate,
        other: one,
        unit: 'edits/s',
        ratio: rate / one,
        target: { at: 'least', value: processes > 8 ? 0.9 : 1 },
      }),
      plainRow({
        what: `${processes} processes: longest edit`,
        against: 'median',
        value: longest,
        other: median,
        unit: 'ms',
        ratio: longest / median,
        target: { at: 'most', value: 20 },
      }),
      plainRow({
        what: `${processes} processes: edits lost`,
        against: 'none',
        value: lost,
        other: 0,
        unit: 'edits',
        ratio: lost,
        target: { at: 'most', value: 0 },
      }),
    ],
  );
}
