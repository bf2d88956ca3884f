/**
 * The same forty tasks for each set of tools, by a model that is a script: it sends the edit that it has in mind. Where that is
 * refused and the answer holds the text that stands there, it sends that; else it reads the file and sends the right one. Counted
 * are edits that did not do what was meant, files that changed elsewhere or otherwise, and tokens of all that it sent and read.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getEncoding } from 'js-tiktoken';
import { TASKS } from './tasks.mjs';
import { TOOLS } from './tools.mjs';

const encoding = getEncoding('o200k_base');
const tokens = value => encoding.encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

const rows = [];
for (const [name, open] of Object.entries(TOOLS)) {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-agent-'));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const tools = await open(folder);
  const results = [];
  for (const task of TASKS) results.push({ ...(await attempt(tools, folder, task)), kind: task.kind });
  await tools.close();
  rmSync(folder, { recursive: true, force: true });
  rows.push({ name, results });
}
report(rows);

async function attempt({ view, replace }, folder, { path, seen, present, old, now, meant, right }) {
  const file = join(folder, path);
  writeFileSync(file, seen);
  await view(path);
  writeFileSync(file, present);
  const first = await replace(path, old, now);
  let cost = tokens({ path, old, now }) + tokens(first.text);
  const after = readFileSync(file, 'utf8');
  const isWrong = after !== right && after !== present;
  if (isWrong) return { isRight: false, isWrong, cost };
  if (meant === null) {
    // What stands there now, or that it was made: then there is nothing to read.
    const isSaid = first.text.includes(now);
    if (!isSaid) cost += tokens({ path }) + tokens((await view(path)).text);
    return { isRight: isSaid, isMended: true, cost };
  }
  const isRight = after === right;
  if (isRight) return { isRight, cost };
  const plain = text => text.replaceAll('\r', '');
  const isTold = meant[0].split(/\r?\n/).every(line => plain(first.text).includes(line));
  if (!isTold) cost += tokens({ path }) + tokens((await view(path)).text);
  const again = await replace(path, ...meant.map(plain));
  cost += tokens({ path, meant }) + tokens(again.text);
  return { isRight, isMended: readFileSync(file, 'utf8') === right, cost };
}

function report(all) {
  const percent = (results, is) => `${Math.round((100 * results.filter(is).length) / results.length)}%`;
  console.log('| tools | wrong text, unnoticed | first edit refused | right in the end | tokens a task |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const { name, results } of all) {
    const mean = Math.round(results.reduce((sum, { cost }) => sum + cost, 0) / results.length);
    const cells = [
      percent(results, one => one.isWrong),
      percent(results, one => !one.isRight && !one.isWrong),
      percent(results, one => one.isRight || one.isMended),
      mean,
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  if (!process.argv.includes('--kinds')) return;
  for (const kind of new Set(TASKS.map(one => one.kind))) {
    const of = ({ results }) => results.filter(one => one.kind === kind);
    const word = ({ isRight, isWrong, isMended }) =>
      isRight ? 'right' : isWrong ? 'WRONG' : isMended ? 'mended' : 'failed';
    console.log(kind, all.map(one => `${one.name}: ${[...new Set(of(one).map(word))].join('/')}`).join('; '));
  }
}
