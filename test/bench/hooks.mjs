/** What hooks cost a machine, in processor time with all that they start, against a node that does nothing. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allBuilds } from './builds.mjs';
import { median } from './measure.mjs';
import { slower } from './report.mjs';
import { makeRepository, pathOf } from './repository.mjs';
import { PLAIN_GIT, quoted } from './shell.mjs';

/** @param {string} folder @param {import('./options.mjs').Options} options */
export async function measureHooks(folder, options) {
  const rows = [];
  const [{ build }] = allBuilds(options).map(one => ({ build: one }));
  for (const files of options.files)
    rows.push(...rowsAt(join(folder, `hooks-${files}`), files, build, options));
  return rows;
}

function rowsAt(folder, files, { bin }, { runs, quick }) {
  const repository = makeRepository(folder, files);
  mkdirSync(join(repository, '.git/vedit'), { recursive: true });
  const name = pathOf(0);
  const path = join(repository, name);
  const front = `${quoted(join(bin, '../vedit-hook'))} claude-code ${quoted(process.execPath)}`;
  const event = (hook_event_name, more) =>
    writeFileSync(
      join(folder, '../event.json'),
      JSON.stringify({ session_id: 's', cwd: repository, hook_event_name, ...more }),
    );
  const bash = id => ({ tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: id });
  let calls = 0;
  const edit = () => {
    const before = readFileSync(path, 'utf8');
    const [line] = before.split('\n');
    writeFileSync(path, before.replace(line, `line ${calls}`));
    const tool_input = { file_path: path, old_string: line, new_string: `line ${calls}` };
    return {
      tool_name: 'Edit',
      tool_input,
      tool_response: { originalFile: before },
      tool_use_id: `toolu_${++calls}`,
    };
  };
  const hook = `${front} < ../event.json`;
  const direct = `${quoted(process.execPath)} ${quoted(bin)} hook claude-code < ../event.json`;
  const count = quick ? 5 : Math.min(runs, 20);
  const timed = (line, prepare = () => {}) => times(repository, line, count, prepare);
  const nodes = timed(`${quoted(process.execPath)} -e 0`);
  // A session begins; its first look goes through all files, and is no usual one.
  for (const [name, more] of [['SessionStart'], ['PreToolUse', bash('first')]]) {
    event(name, more);
    spawnSync('bash', ['-c', hook], { cwd: repository, env: PLAIN_GIT });
  }
  const read = timed(hook, () => event('PreToolUse', { tool_name: 'Read', tool_input: { file_path: path } }));
  const quiet = timed(hook, () => event('PreToolUse', bash(`c${++calls}`)));
  const status = timed('git status --porcelain -z');
  const spooled = timed(hook, () => event('PostToolUse', edit()));
  rmSync(join(repository, '.git/vedit/spool'), { recursive: true, force: true });
  const alone = timed(direct, () => event('PostToolUse', edit()));
  const changed = timed(hook, () => {
    event('PreToolUse', bash(`c${++calls}`));
    writeFileSync(path, `${readFileSync(path, 'utf8')}more\n`);
  });
  const most = Math.round(100 * (0.1 + (1.1 * median(status)) / median(nodes))) / 100;
  const against = (what, measured, limit) =>
    slower(`${what}, ${files} files`, measured, 'node -e 0', nodes, limit);
  return [
    against('hook: an event that changes nothing', read, 0.15),
    against('hook: a command that changed nothing', quiet, most),
    against('hook: an edit, left for later', spooled, 1.4),
    against('hook: an edit, recorded by itself', alone, 2.5),
    against('hook: a look that records a change', changed),
    against('git status', status),
  ];
}

/** Milliseconds of processor time, of user and system, of all that the line starts. */
function times(folder, line, count, prepare) {
  const found = [];
  for (let n = -1; n < count; n++) {
    prepare();
    const script = `{ ${line}; } >/dev/null 2>&1; times`;
    const { stdout } = spawnSync('bash', ['-c', script], { cwd: folder, env: PLAIN_GIT, encoding: 'utf8' });
    const ofChildren = stdout.trim().split('\n').at(-1);
    const [user, system] = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => 60 * m + Number(s));
    if (n >= 0) found.push(1000 * (user + system));
  }
  return found;
}
