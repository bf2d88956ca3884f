/**
 * For Stryker: a checker that leaves a sample of the mutants, those that the type check does not refuse, and a reporter
 * that prints what became of each. A mutant is in the sample when its hash with the seed is low, so it stays there as
 * long as its line stays.
 */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const OUTSIDE = 'not in the sample';

const { SEED, ONE_IN } = process.env;
const ROOT = process.cwd();

class SampleChecker {
  /** A copy of the sources, for the type check. Stryker removes it. */
  #copy = join(ROOT, '.stryker-tmp', `types-${process.pid}`);

  async init() {
    mkdirSync(this.#copy, { recursive: true });
    cpSync(join(ROOT, 'src'), join(this.#copy, 'src'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(this.#copy, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(this.#copy, 'node_modules'));
    const compilerOptions = { incremental: true, tsBuildInfoFile: 'info' };
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['src'] };
    writeFileSync(join(this.#copy, 'tsconfig.json'), JSON.stringify(config));
  }

  async group(mutants) {
    return mutants.map(({ id }) => [id]);
  }

  async check([mutant]) {
    return { [mutant.id]: this.#verdict(mutant) };
  }

  #verdict(mutant) {
    if (!isSampled(mutant)) return { status: 'compileError', reason: OUTSIDE };
    const errors = this.#typeErrors(mutant);
    return errors === '' ? { status: 'passed' } : { status: 'compileError', reason: errors };
  }

  #typeErrors({ fileName, location, replacement }) {
    const file = join(this.#copy, relative(ROOT, fileName));
    const text = readFileSync(fileName, 'utf8');
    const [from, to] = offsetsOf(text, location, 0);
    writeFileSync(file, text.slice(0, from) + replacement + text.slice(to));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', this.#copy], { encoding: 'utf8' });
    writeFileSync(file, text);
    return stdout;
  }
}

class LineReporter {
  onMutantTested(mutant) {
    if (mutant.statusReason === OUTSIDE) return;
    const { fileName, location, replacement, status } = mutant;
    const text = readFileSync(fileName, 'utf8');
    const was = text.slice(...offsetsOf(text, location, 1));
    const place = `${relative(ROOT, fileName)}:${location.start.line}:${location.start.column}`;
    console.log(`${status.padEnd(12)} ${place}  ${short(was)}  =>  ${short(replacement)}`);
  }
}

export const strykerPlugins = [
  { kind: 'Checker', name: 'sample', injectableClass: SampleChecker },
  { kind: 'Reporter', name: 'lines', injectableClass: LineReporter },
];

function isSampled({ fileName, location, mutatorName, replacement }) {
  const text = readFileSync(fileName, 'utf8');
  const [from, to] = offsetsOf(text, location, 0);
  const was = text.slice(from, to);
  // The words of a message: no test should repeat them.
  if (mutatorName === 'StringLiteral' && was.includes(' ')) return false;
  const before = text.slice(text.lastIndexOf('\n', from - 1) + 1, from).trimStart();
  const mutant = [SEED, fileName.replace(/.*\/src\//, ''), before, was, replacement].join('\n');
  return createHash('sha256').update(mutant).digest().readUInt32BE() / 2 ** 32 < 1 / Number(ONE_IN);
}

/** Where a location begins and ends in a text. `first`: the number of the first line and column. */
function offsetsOf(text, { start, end }, first) {
  const lines = text.split('\n');
  return [start, end].map(({ line, column }) => {
    const above = lines.slice(0, line - first);
    return above.reduce((sum, { length }) => sum + length + 1, 0) + column - first;
  });
}

function short(text) {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 87)}...` : line;
}
