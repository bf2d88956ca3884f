import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { place } from '../../../helpers/person-repo.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { content, personRepo, vedit } from '../../../helpers/vedit.ts';

interface Found {
  commit: string;
  subject: string;
  reason: string;
  tested: Array<{ commit: string; result: string }>;
}

/** Nine edits that count up in n.txt, and what git knows of the repository besides. */
async function counted(): Promise<{ box: Sandbox; commits: string[]; state: () => string }> {
  const box = personRepo();
  box.write('src/n.txt', '0\n');
  box.git('add', '.');
  box.git('commit', '-qm', 'zero');
  const repo = place(box);
  const session = await repo.session();
  const commits: string[] = [];
  for (let n = 1; n <= 9; n++) {
    const input = { path: 'src/n.txt', old_str: `${n - 1}`, new_str: `${n}`, reason: `count to ${n}` };
    commits.push((await session.edit('str_replace', input)).data.commit!);
  }
  await repo.close();
  const state = (): string =>
    [
      box.git('status', '--short'),
      box.git('rev-parse', 'HEAD', 'vedit/main'),
      box.git('for-each-ref'),
      box.git('worktree', 'list'),
    ].join('\n');
  return { box, commits, state };
}

const below = (n: number): string[] => ['bisect', 'run', 'sh', '-c', `test "$(cat src/n.txt)" -lt ${n}`];
// Others may search at the same time.
process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'vedit-test-'));
const leftovers = (): string[] => readdirSync(tmpdir()).filter(name => name.startsWith('vedit-bisect-'));

describe('vedit bisect run', () => {
  it('names the edit that broke it, and leaves everything as it was', async () => {
    const { box, commits, state } = await counted();
    const before = state();
    const { out, err, code } = await vedit(box, below(7));
    expect(code).toBe(0);
    expect(out).toContain(`commit ${commits[6]}`);
    expect(out).toContain('count to 7');
    expect(out).toContain('-6\n+7');
    expect(err).toMatch(/^bad {2}\w+ .* claude: str_replace src\/n\.txt.*\ngood \w+ .*: zero\n/);
    expect(state()).toBe(before);
    expect(content(box, 'src/n.txt')).toBe('9\n');
    expect(leftovers()).toEqual([]);
  });

  it('answers programs, and takes ends and options of the command', async () => {
    const { box, commits } = await counted();
    const line = [
      'bisect',
      '--json',
      '--good',
      '~6',
      '--bad',
      '~1',
      'run',
      'grep',
      '-q',
      '[0-5]',
      'src/n.txt',
    ];
    const { out } = await vedit(box, line);
    const { data } = JSON.parse(out) as { data: Found };
    expect(data).toMatchObject({ commit: commits[5], reason: 'count to 6' });
    expect(data.tested.slice(0, 2)).toEqual([
      { commit: commits[7], result: 'bad' },
      { commit: commits[2], result: 'good' },
    ]);
  });

  it('runs where it was started, tells of the user’s folder, and skips what cannot be told', async () => {
    const { box, commits } = await counted();
    box.write(
      'check.sh',
      'test "$(cat "$VEDIT_ROOT/src/n.txt")" = 9 || exit 128\nn=$(cat n.txt)\ntest "$n" = 5 && exit 125\ntest "$n" -lt 7\n',
    );
    const line = ['bisect', 'run', 'sh', box.path('check.sh')];
    const { out, code } = await vedit(box, line, { cwd: () => box.path('src') });
    expect(code).toBe(0);
    expect(out).toContain(`commit ${commits[6]}`);
  });

  it('tests each commit at most once, and about as many as a halving takes', async () => {
    const { box, commits } = await counted();
    for (const n of [1, 2, 5, 8, 9]) {
      const line = ['bisect', '--json', 'run', 'sh', '-c', `test "$(cat src/n.txt)" -lt ${n}`];
      const { data } = JSON.parse((await vedit(box, line)).out);
      expect(data.commit).toBe(commits[n - 1]);
      const tested = data.tested.map((one: { commit: string }) => one.commit);
      expect(new Set(tested).size).toBe(tested.length);
      expect(tested.length).toBeLessThanOrEqual(2 + 4);
    }
  });

  it('refuses ends that are the wrong way round', async () => {
    const { box, commits } = await counted();
    const script = 'test "$(cat src/n.txt)" -gt 5';
    const line = ['bisect', '--good', commits[8]!, '--bad', commits[1]!, 'run', 'sh', '-c', script];
    const { code, err } = await vedit(box, line);
    expect([code, err]).toEqual([1, expect.stringContaining('nothing is between them')]);
    expect(leftovers()).toEqual([]);
  });

  it('says which are left when the command cannot tell them apart', async () => {
    const { box, commits } = await counted();
    const script = 'n=$(cat src/n.txt); test "$n" = 0 && exit 0; test "$n" = 9 && exit 1; exit 125';
    const line = ['bisect', '--json', 'run', 'sh', '-c', script];
    const answer = JSON.parse((await vedit(box, line)).out);
    expect(answer).toMatchObject({ ok: false, code: 'AMBIGUOUS' });
    expect(answer.data.candidates.sort()).toEqual([...commits].sort());
  });

  it.each([
    ['a command that succeeds at the newest', ['true'], /succeeds at .* no bad edit/],
    ['one that fails at the first', ['false'], /fails already at .*node_modules.*VEDIT_ROOT.*--good/],
    ['one that is not there', ['no-such-program-here'], /no program "no-such-program-here"/],
    ['one that says nothing known', ['sh', '-c', 'exit 200'], /exited with 200/],
  ])('refuses %s', async (_what, command, words) => {
    const { box, state } = await counted();
    const before = state();
    const { code, err } = await vedit(box, ['bisect', 'run', ...command]);
    expect(code).toBe(1);
    expect(err).toMatch(words);
    expect(state()).toBe(before);
    expect(leftovers()).toEqual([]);
  });

  it('wants the word run, and a history', async () => {
    const { box } = await counted();
    expect(await vedit(box, ['bisect', 'npm', 'test'])).toMatchObject({ code: 2 });
    const { code, err } = await vedit(personRepo(), ['bisect', 'run', 'true']);
    expect([code, err]).toEqual([1, expect.stringContaining('Nothing was edited yet')]);
  });

  it('cleans up when it is interrupted', async () => {
    const { box, state } = await counted();
    const mark = box.path('../started');
    const before = state();
    const running = vedit(box, ['bisect', 'run', 'sh', '-c', `touch '${mark}'; exec sleep 60`]);
    while (!existsSync(mark)) await setTimeout(20);
    process.emit('SIGINT', 'SIGINT');
    expect((await running).code).toBe(130);
    expect(state()).toBe(before);
    expect(leftovers()).toEqual([]);
  });
});
