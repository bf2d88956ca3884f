/**
 * One crash point, to be looked at by hand:
 *
 *     POINT='str_replace, on the branch' npx vitest run test/crash/one-point.test.ts
 *     POINT='str_replace, on the branch: 57 before' npx vitest run test/crash/one-point.test.ts
 *     POINT='str_replace, on the branch: rename -ref full' npx vitest run test/crash/one-point.test.ts
 *
 * The first prints the numbered calls of the operation. The second lets the process die at that call (`before` it, after
 * an `empty` or `half` write, or after the `full` call), the third at the first rename of a path that ends so. It prints the engine's files that are on disk then, lets a new
 * process make the next edit, and prints them again. Both states stay on disk for `git` and `vedit`. `operations.ts`
 * and `repository-kinds.ts` hold the names of operations and places. Without POINT, both sides of the moment of an edit
 * are tried.
 */

import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Call, crashAt, type Tear } from '../helpers/fault-fs.ts';
import { describe } from './crash-points.ts';
import { FaultHarness } from './fault-harness.ts';
import { readImage } from './image.ts';
import { pick } from './operations.ts';
import { checkRepaired, checkUnrepaired, isPublished } from './promises.ts';

const [name = '', point = ''] = (process.env.POINT ?? '').split(': ');

it.runIf(name === '')('the rename of the ref is the moment of the edit', async () => {
  const harness = await FaultHarness.of(pick('str_replace, beside the branch, durable by the journal')[0]!);
  const moment = harness.calls.find(call => call.method === 'rename' && call.path.endsWith('-ref'))!;
  const before = await crash(harness, { call: moment, tear: 'before' });
  const after = await crash(harness, { call: moment, tear: 'full' });
  harness.close();
  expect([before.published, before.broken, after.published, after.broken]).toEqual([false, [], true, []]);
  expect(before.dead.some(line => /vedit\/tmp\/\S+-ref /.test(line))).toBe(true);
  expect(after.dead.some(line => /vedit\/tmp\/\S+-ref /.test(line))).toBe(false);
  expect([...before.repaired, ...after.repaired].filter(line => /\.lock|vedit\/tmp/.test(line))).toEqual([]);
});

it.runIf(name !== '')('POINT', async () => {
  const harness = await FaultHarness.of(pick(name)[0]!);
  const found = point === '' ? null : pointOf(harness.calls);
  if (!found) print(...harness.calls.map(describe));
  else print(`crash at ${describe(found.call)}, ${found.tear}`, ...lines(await crash(harness, found)));
  harness.close();
});

interface Point {
  call: Call;
  tear: Tear;
}

/** `57 before`, or `rename -ref full`; without its last word, `before`. */
function pointOf(calls: readonly Call[]): Point {
  const [, words, tear = 'before'] = /^(.*?)(?: (before|empty|half|full))?$/.exec(point)!;
  const [method, ending = ''] = words!.split(' ');
  const call = calls.find(
    one => `${one.n}` === words || (one.method === method && one.path.endsWith(ending)),
  );
  if (!call) throw new Error(`No call is ${words}. POINT='${name}' lists all of them.`);
  return { call, tear: tear as Tear };
}

/** What is there when the process is dead, and when the next edit is made; `folder` holds both. */
interface Crash {
  published: boolean;
  dead: readonly string[];
  repaired: readonly string[];
  broken: readonly string[];
  folder: string;
}

async function crash(harness: FaultHarness, { call, tear }: Point): Promise<Crash> {
  const folder = name === '' ? '' : mkdtempSync(join(tmpdir(), 'vedit-point-'));
  const kept = (as: string): void => {
    if (folder) cpSync(harness.dir, join(folder, as), { recursive: true, verbatimSymlinks: true });
  };
  const outcome = await harness.run(crashAt(call.n, tear));
  const published = isPublished(harness, harness.snapshot());
  const dead = ownFiles(harness);
  const unrepaired = checkUnrepaired(harness, outcome);
  kept('dead');
  const next = await harness.next();
  kept('repaired');
  const broken = [...unrepaired, ...checkRepaired(harness, published, next)];
  return { published, dead, repaired: ownFiles(harness), broken, folder };
}

/** The engine's files, locks and temporary files, with their sizes. */
function ownFiles(harness: FaultHarness): string[] {
  const own = /(^|\/)vedit\/(?!live\/)|\.lock$|refs\/vedit\/|\/tmp_/;
  return [...readImage(harness.dir)].flatMap(([path, entry]) =>
    own.test(path) && entry !== null && typeof entry !== 'string'
      ? [`  ${path} (${entry.bytes.length} bytes)`]
      : [],
  );
}

function lines({ published, dead, repaired, broken, folder }: Crash): string[] {
  return [
    `on disk when the process is dead, with the ref at the ${published ? 'new' : 'old'} commit:`,
    ...dead,
    'after the next edit of another process:',
    ...repaired,
    broken.length === 0 ? 'every promise is kept' : `broken: ${broken.join('; ')}`,
    `kept: ${folder}/dead, ${folder}/repaired`,
  ];
}

function print(...text: string[]): void {
  process.stdout.write(`${text.join('\n')}\n`);
}
