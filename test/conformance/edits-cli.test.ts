/** Every case of edits.json through `vedit apply`: a real process, files on disk, one stream of calls. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, type Sandbox } from '../helpers/real-git.ts';
import { bin } from '../helpers/vedit.ts';
import cases from './edits.json' with { type: 'json' };

type Content = string | { base64: string } | null;

interface Case {
  id: string;
  before: Content;
  edit: string;
  input: Record<string, unknown>;
  after?: string | { base64: string };
  error?: string;
}

interface Result {
  answer: { ok: boolean; code?: string; message: string; data: { commit?: string; parent?: string } };
  bytes: Buffer | null;
}

const CASES = cases as Case[];

/** One folder a case, all committed before; then all calls go to one process. */
async function runAll(box: Sandbox): Promise<{ results: Map<string, Result>; commits: string[] }> {
  for (const [index, { before }] of CASES.entries()) {
    mkdirSync(box.path(`c${index}`));
    if (before !== null) box.write(fileOf(index), bytesOf(before)!);
  }
  box.git('add', '.');
  box.git('commit', '-qm', 'before');
  const lines = CASES.map(({ edit, input }, index) => {
    return JSON.stringify({ tool: edit, id: index, input: { path: fileOf(index), ...input } });
  });
  const { out, err } = await bin(box, ['apply'], { input: `${lines.join('\n')}\n` });
  expect(err).toBe('');
  const answers = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(answers.map(answer => answer.id)).toEqual(CASES.map((_, index) => index));
  const results = new Map(
    CASES.map(({ id }, index) => [id, { answer: answers[index], bytes: read(box, index) }]),
  );
  return { results, commits: box.git('rev-list', '--reverse', 'main..vedit/main').split('\n') };
}

const fileOf = (index: number): string => `c${index}/f.txt`;

function read(box: Sandbox, index: number): Buffer | null {
  const path = box.path(fileOf(index));
  return existsSync(path) ? readFileSync(path) : null;
}

function bytesOf(content: Content): Buffer | null {
  if (content === null) return null;
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64');
}

describe('edits through vedit apply', () => {
  let results: Map<string, Result>;
  let commits: string[];
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-cases-')));

  beforeAll(async () => {
    mkdirSync(join(top, 'repo'));
    const box = at(join(top, 'repo'));
    box.git('init', '-q', '-b', 'main');
    ({ results, commits } = await runAll(box));
  });

  afterAll(() => rmSync(top, { recursive: true, force: true }));

  it.each(CASES.map(one => [one.id, one] as const))('%s', (id, { before, after, error }) => {
    const { answer, bytes } = results.get(id)!;
    expect({ code: answer.code, message: answer.message }).toMatchObject({ code: error });
    expect(bytes).toEqual(error === undefined ? bytesOf(after!) : bytesOf(before));
  });

  it('each done case added one commit, and no refused one any', () => {
    const done = [...results.values()]
      .filter(({ answer }) => answer.ok)
      .map(({ answer }) => answer.data.commit);
    expect(done).toEqual(commits);
    expect(done).toHaveLength(CASES.filter(one => one.error === undefined).length);
  });
});
