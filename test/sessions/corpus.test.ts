/** Thousands of random edits over the real files of the installed packages, checked afterwards with the real git. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { linesOf } from '../../src/text/lines.ts';
import { place } from '../helpers/person-repo.ts';
import { at, sandbox } from '../helpers/real-git.ts';

const EDITS = process.env.VEDIT_LONG ? 2000 : 500;
const FILES = 120;
const MAX_BYTES = 60_000;
const KINDS = /\.(d\.ts|js|mjs|cjs|json|md)$/;

/** A seeded generator (mulberry32), so that a failure can be seen again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function realFiles(): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && found.length < 4000) walk(path);
      else if (
        entry.isFile() &&
        KINDS.test(entry.name) &&
        statSync(path).size < MAX_BYTES &&
        statSync(path).size > 0
      )
        found.push(path);
    }
  };
  walk('node_modules');
  return found.filter((_, index) => index % Math.ceil(found.length / FILES) === 0);
}

/** One random edit of a file whose text is known; `null` where the draw does not fit the text. */
async function edit(
  session: Session,
  path: string,
  text: string,
  draw: () => number,
): Promise<Awaited<ReturnType<Session['edit']>> | null> {
  const lines = linesOf(text);
  const from = 1 + Math.floor(draw() * lines.count);
  const to = Math.min(lines.count, from + Math.floor(draw() * 3));
  const kind = draw();
  const base = { path, base: '@' };
  if (kind < 0.25)
    return session.edit('insert', { ...base, insert_line: from - 1, insert_text: `// inserted ${draw()}` });
  if (kind < 0.5)
    return session.edit('replace_lines', {
      ...base,
      start_line: from,
      end_line: to,
      new_content: `replaced ${draw()}\n\tsecond`,
    });
  if (kind < 0.6 && lines.count > 3)
    return session.edit('replace_lines', { ...base, start_line: from, end_line: from });
  const old = text.slice(lines.start(from), lines.contentEnd(to));
  if (old === '' || text.indexOf(old) !== text.lastIndexOf(old)) return null;
  return session.edit('str_replace', {
    path,
    old_str: old,
    new_str: `${old.slice(0, old.length >> 1)}$& ${draw()}`,
  });
}

describe('random edits over real files', () => {
  it('leave a clean repository whose history is what the answers said', { timeout: 240_000 }, async () => {
    const repo = place(sandbox());
    repo.git('init', '-q', '-b', 'main');
    const paths: string[] = [];
    for (const [index, file] of realFiles().entries()) {
      const path = `f${index % 10}/${index}-${file.split('/').at(-1)}`;
      repo.write(path, readFileSync(file));
      paths.push(path);
    }
    repo.git('add', '-A', '-f');
    repo.git('commit', '-qm', 'start');
    const draw = random(20261120);
    const session = await repo.session();
    const answers: { commit: string; added: number; removed: number; diff: string }[] = [];
    for (let tries = 0; answers.length < EDITS && tries < EDITS * 3; tries++) {
      const path = paths[Math.floor(draw() * paths.length)]!;
      const text = repo.read(path);
      if (text === '' || text.startsWith('\ufeff')) continue;
      const answer = await edit(session, path, text, draw).catch(error => {
        if (error.code === 'NO_CHANGE') return null;
        throw error;
      });
      if (!answer) continue;
      const { commit, paths: done, diff } = answer.data;
      answers.push({ commit: commit!, added: done[0]!.added, removed: done[0]!.removed, diff });
    }
    expect(answers.length).toBe(EDITS);
    expect(repo.git('fsck', '--strict')).toBe('');

    const recorded = repo
      .git('log', '--reverse', '--format=commit %H', '--numstat', 'main..vedit/main')
      .split('\n')
      .filter(Boolean);
    const told = answers.flatMap(one => [`commit ${one.commit}`, `${one.added}\t${one.removed}`]);
    expect(recorded.map(line => line.split('\t').slice(0, 2).join('\t'))).toEqual(told);

    repo.git('worktree', 'add', '-q', '--detach', repo.path('../replay'), 'main');
    const replay = at(repo.path('../replay'));
    replay.pipe(answers.map(one => one.diff).join(''), 'apply', '--index', '--whitespace=nowarn', '-');
    expect(replay.git('write-tree')).toBe(repo.git('rev-parse', 'vedit/main^{tree}'));
    for (const path of paths) {
      expect(repo.git('hash-object', '--no-filters', '--', path)).toBe(
        repo.git('rev-parse', `vedit/main:${path}`),
      );
    }
  });
});
