/** The work of one call, in what no load disturbs: functions, promises, garbage, system calls. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allBuilds } from './builds.mjs';
import { CALLS, makePlace } from './calls.mjs';
import { median } from './measure.mjs';
import { plainRow } from './report.mjs';
import { callsBetweenMarks } from './system-calls.mjs';

const SCRIPT = fileURLToPath(new URL('./work-of-call.mjs', import.meta.url));
/** So much room for new objects that nothing is collected while one call runs. */
const FLAGS = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** At most, of an edit. */
const TARGETS = { functions: 350, 'system calls': 76 };

/** @param {import('./options.mjs').Options} options @returns {Promise<import('./report.mjs').Row[]>} */
export async function measureWork(folder, options) {
  const builds = allBuilds(options);
  return CALLS.flatMap(name => {
    console.error(`work: ${name} ...`);
    const [own, other] = builds.map((build, at) => workOf(build, name, join(folder, `work-${name}-${at}`)));
    return Object.entries(own).flatMap(([unit, value]) => {
      const row = (against, beside, target = null) =>
        rowOf(`one ${name}: ${unit}`, value, against, beside, target);
      const most = name === 'str_replace' ? TARGETS[unit] : undefined;
      return [
        ...(most ? [row('at most', most, { at: 'most', value: 1 })] : []),
        ...(other ? [row(builds[1].name, other[unit])] : []),
        ...(most || other ? [] : [row('', null)]),
      ];
    });
  });
}

function workOf({ modules }, name, folder) {
  const command = kind => [SCRIPT, modules, name, makePlace(`${folder}-${kind}`)];
  const counted = [...FLAGS, ...command('functions')];
  const told = JSON.parse(execFileSync(process.execPath, counted, { encoding: 'utf8' }));
  const calls = callsBetweenMarks([process.execPath, ...command('calls'), '--marked']);
  if (calls === null) console.error('no system calls: strace(1) is not here');
  return {
    functions: told.functions,
    files: told.files,
    'calls of functions': told.calls,
    "functions with node's own": told.all,
    promises: told.promises,
    'KiB of garbage': told.garbage / 1024,
    ...(calls === null ? {} : { 'system calls': median(calls) }),
  };
}

function rowOf(what, value, against, other, target) {
  return plainRow({
    what,
    against,
    value,
    other,
    unit: '',
    ratio: other === null ? null : value / other,
    target,
  });
}
