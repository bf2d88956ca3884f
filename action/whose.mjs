/** Who wrote the lines that a commit brings, by the histories of edits that clones pushed: found by content, so after a squash too. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** As a shell has it, in this repository; '' where it fails. */
export function git(...args) {
  try {
    const options = { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['-c', 'core.quotePath=false', ...args], options);
  } catch (error) {
    // git diff --no-index answers 1 where two files differ.
    return error.stdout ?? '';
  }
}

const linesOf = text => text.replace(/\n$/, '').split('\n');

/** The histories of edits that are here, as vedit names them, with the refs of what was accepted of each. */
function trails() {
  const refs = linesOf(git('for-each-ref', '--format=%(refname)', '--sort=-committerdate', 'refs/vedit-peers'));
  return refs.flatMap(ref => {
    const [, clone, branch] = /^refs\/vedit-peers\/([^/]+)\/trail\/(.+)$/.exec(ref) ?? [];
    if (clone === undefined) return [];
    const ofTrail = new RegExp(`^refs/vedit-peers/${clone}/review/[^/]+/${branch.replace(/\W/g, '\\$&')}$`);
    return [{ ref, name: `${clone}/${branch}`, accepted: refs.filter(one => ofTrail.test(one)) }];
  });
}

/** The hunks of `git diff -U0`: the first lines and counts of both sides. */
function hunks(diff) {
  const heads = diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm);
  return [...heads].map(([, old, oldCount = 1, now, nowCount = 1]) => [+old, +oldCount, +now, +nowCount]);
}

/** By line of `now`, the line of `old` that it is; both count from 1. */
function sameLines(old, now) {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-action-'));
  const [a, b] = ['a', 'b'].map(name => join(folder, name));
  writeFileSync(a, `${old.join('\n')}\n`);
  writeFileSync(b, `${now.join('\n')}\n`);
  const found = hunks(git('diff', '--no-index', '--histogram', '-U0', a, b));
  rmSync(folder, { recursive: true });
  const same = new Map();
  let [at, from] = [1, 1];
  // Of a side without lines git names the line before.
  for (const [oldAt, oldCount, nowAt, nowCount] of [...found, [old.length + 1, 1, now.length + 1, 1]]) {
    const end = nowCount === 0 ? nowAt + 1 : nowAt;
    for (; at < end; at++, from++) same.set(at, from);
    at = nowAt + nowCount + (nowCount === 0 ? 1 : 0);
    from = oldAt + oldCount + (oldCount === 0 ? 1 : 0);
  }
  return same;
}

/** The commit of a history in which the file was as it is here, or the newest one. */
function whenSame(ref, path, blob) {
  for (const commit of linesOf(git('rev-list', '--max-count=200', ref, '--', path)))
    if (commit && git('rev-parse', `${commit}:${path}`).trim() === blob) return commit;
  return ref;
}

/**
 * The lines of one file that a commit brings and that an agent wrote: each with its number, agent, session, reason, and whether a
 * person accepted it. `vedit`: the words that start it.
 */
function whoseLines({ vedit, base, commit, path }, known) {
  const blob = git('rev-parse', `${commit}:${path}`).trim();
  const now = linesOf(git('show', `${commit}:${path}`));
  const added = new Set();
  for (const [, , at, count] of hunks(git('diff', '-U0', base, commit, '--', path)))
    for (let n = at; n < at + count; n++) added.add(n);
  const found = new Map();
  for (const { ref, name, accepted } of known) {
    if (added.size === 0) break;
    const at = whenSame(ref, path, blob);
    const lines = blame(vedit, name, at === ref ? undefined : at, path);
    if (lines === null) continue;
    const same = sameLines(lines.map(one => one.text), now);
    const reviewed = new Set();
    for (const review of accepted) {
      const text = git('show', `${review}:${path}`);
      if (text !== '') for (const line of sameLines(linesOf(text), now).keys()) reviewed.add(line);
    }
    for (const line of added) {
      const by = lines[(same.get(line) ?? 0) - 1];
      if (by === undefined) continue;
      // Who wrote it is known; of what a person wrote there is nothing to say.
      added.delete(line);
      if (by.agent) found.set(line, { ...by, line, path, isReviewed: reviewed.has(line) });
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line);
}

function blame([program, ...words], trail, at, path) {
  const args = [...words, 'blame', '--json', '--trail', trail, ...(at ? ['--at', at] : []), path];
  try {
    const out = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] });
    return JSON.parse(out).data.lines;
  } catch {
    return null;
  }
}

/** All lines between two commits that agents wrote, by file and number. */
export function linesOfAgents(vedit, base, commit) {
  const names = git('diff', '--name-only', '-z', '--diff-filter=AMR', base, commit).split('\0').filter(Boolean);
  const known = trails();
  return names.flatMap(path => whoseLines({ vedit, base, commit, path }, known));
}

/** Lines that follow each other, for which `keyOf` says the same. */
export function runs(lines, keyOf) {
  const found = [];
  for (const one of lines) {
    const key = keyOf(one);
    const last = found.at(-1);
    if (last && last.key === key && last.path === one.path && last.end === one.line - 1) last.end = one.line;
    else found.push({ ...one, key, start: one.line, end: one.line });
  }
  return found;
}
