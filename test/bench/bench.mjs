/** The cost of an edit, measured side by side with git, isomorphic-git and the bare work (npm run bench -- --help). */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allBuilds } from './builds.mjs';
import { engine } from './contenders.mjs';
import { measureEdits } from './edits.mjs';
import { measureEvents } from './events.mjs';
import { measureFair } from './fair.mjs';
import { measureGrowth } from './growth.mjs';
import { addHistory } from './history.mjs';
import { measureHooks } from './hooks.mjs';
import { machineFacts } from './machine.mjs';
import { sideBySide } from './measure.mjs';
import { measureMemory } from './memory.mjs';
import { parseOptions } from './options.mjs';
import { measurePage } from './page.mjs';
import { measurePatch } from './patch.mjs';
import { processContenders } from './processes.mjs';
import { measureRate } from './rate.mjs';
import { measureReading } from './reading.mjs';
import { faster, plainRow, print, printScale, slower, write } from './report.mjs';
import { copyRepository, makeRepository } from './repository.mjs';
import { measureScale } from './scale/scale.mjs';
import { measureWork } from './work.mjs';
import { measureWriters } from './writers.mjs';

const SAME = 1.3;

const options = parseOptions(process.argv.slice(2));
if (options) await main(options);

async function main(options) {
  const folder = mkdtempSync(join(options.dir ?? tmpdir(), 'vedit-bench-'));
  try {
    const facts = machineFacts(folder);
    if (options.scale) return await scale(folder, facts, options);
    const rows = [];
    for (const [part, measure] of Object.entries({
      edits: measureEdits,
      history,
      reading: measureReading,
      patch: measurePatch,
      process: processes,
      hooks: measureHooks,
      events,
      page,
      memory,
      writers,
      growth: measureGrowth,
      fair: measureFair,
      work: measureWork,
      rate: measureRate,
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

async function scale(folder, facts, options) {
  const results = await measureScale(folder, options);
  printScale(facts, results);
  write(options.out, facts, options, results);
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
    const native = makeRepository(join(folder, `process-git-${files}`), files);
    const builds = allBuilds(options).map((build, at) => {
      return { build, folder: copyRepository(native, join(folder, `process-${at}-${files}`)) };
    });
    const times = await sideBySide(processContenders(builds, native, files), options);
    const named = `vedit replace, ${files} files`;
    rows.push(slower(named, times.get('vedit'), 'node -e 0', times.get('node'), 2.5));
    for (const { build } of builds.slice(1))
      rows.push(slower(named, times.get('vedit'), build.name, times.get(build.name)));
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

async function events(folder, options) {
  const { edit, lag, followed } = await measureEvents(folder, options);
  return [
    slower('an edit is told to a follower after', lag, 'the edit itself', edit, 2),
    slower('edit while 10 processes follow', followed, 'nobody follows', edit),
  ];
}

async function page(folder, options) {
  const measured = await measurePage(folder, options);
  if (!measured) return [];
  const { long, small, large, hunk, delay, edit, all, block } = measured;
  return [
    slower(`vedit watch: page of ${long} edits opens in`, large, 'of 100', small, 2),
    slower(`vedit watch: the first hunk of ${long} edits is there in`, hunk, 'the page', large),
    slower('vedit watch: an edit is on the page after', delay, 'the edit itself', edit),
    plainRow({
      what: `vedit watch: ${long} edits are in the list after`,
      against: 'longest time for which the page stands still',
      value: all,
      other: block,
      unit: 'ms',
      ratio: all / block,
    }),
  ];
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
    ({ name, processes, rate, one, lost, median, longest }) => [
      plainRow({
        what: `${name}, one repository`,
        against: 'one process',
        value: rate,
        other: one,
        unit: 'edits/s',
        ratio: rate / one,
        target: { at: 'least', value: processes > 8 ? 0.9 : 1 },
      }),
      plainRow({
        what: `${name}: longest edit`,
        against: 'median',
        value: longest,
        other: median,
        unit: 'ms',
        ratio: longest / median,
        target: { at: 'most', value: 20 },
      }),
      plainRow({
        what: `${name}: edits lost`,
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
