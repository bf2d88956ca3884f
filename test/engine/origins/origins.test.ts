import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentAt } from '../../helpers/agent-events.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

const ADA = 'Ada <ada@example.com>';

function repo(): Place {
  const box = personRepo({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  box.git('config', 'user.name', 'Ada');
  box.git('config', 'user.email', 'ada@example.com');
  return box;
}

/** The newest commits of changes from outside: author, and what is said of where they come from. */
const outside = (box: Place): string[] =>
  box
    .git(
      'log',
      '--format=%an <%ae>|%s|%(trailers:key=Vedit-Certain,key=Vedit-During,valueonly,separator=%x2c )',
      'vedit/main',
    )
    .split('\n')
    .filter(line => line.includes('|outside '));

describe('a change from outside', () => {
  it('is the person’s where no agent was at work', async () => {
    const box = repo();
    box.write('a.txt', 'ONE\ntwo\nthree\n');
    await (await box.session()).edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    expect(outside(box)).toEqual([`${ADA}|outside a.txt|`]);
  });

  it('is nobody’s where it was made while a call ran, and the person’s between calls', async () => {
    const box = repo();
    const claude = agentAt(box);
    await claude.tells('prompt');
    await claude.writes('b.txt', 'typed before a call\n');
    await claude.tells('before', 'toolu_1');
    await claude.writes('a.txt', 'ONE\ntwo\nthree\n');
    await claude.tells('after', 'toolu_1');
    await claude.writes('c.txt', 'typed after it\n');
    const session = await box.session();
    await session.record(['a.txt', 'b.txt', 'c.txt'], { outside: true });
    expect(outside(box)).toEqual([
      `${ADA}|outside 2 files|`,
      'outside <outside@vedit.invalid>|outside a.txt|during, claude-code toolu_1 Bash',
    ]);
    expect((await (await box.open()).verify()).data.faults).toEqual([]);
    const { lines } = (await session.blame({ path: 'a.txt' })).data;
    expect(lines.map(({ author }) => author)).toEqual(['outside', 'Ada', 'Ada']);
  });

  it.runIf(process.platform === 'linux')(
    'is nobody’s while a process lives that was left behind by a command',
    async () => {
      const box = repo();
      const claude = agentAt(box);
      await claude.tells('prompt');
      await claude.tells('before', 'toolu_1');
      const { stdout } = spawnSync('sh', ['-c', '(sleep 60 >/dev/null 2>&1 & echo $!)'], { cwd: box.dir });
      await claude.tells('after', 'toolu_1');
      await claude.writes('a.txt', 'by whom?\n');
      const session = await box.session();
      await session.record(['a.txt'], { outside: true });
      process.kill(Number(stdout));
      await claude.writes('b.txt', 'typed\n');
      await session.record(['b.txt'], { outside: true });
      expect(outside(box)).toEqual([
        `${ADA}|outside b.txt|`,
        'outside <outside@vedit.invalid>|outside a.txt|during, claude-code toolu_1 Bash',
      ]);
    },
  );

  it('is unclaimed where a turn was open whose calls are not told of', async () => {
    const box = repo();
    const codex = agentAt(box, { agent: 'codex' });
    await codex.tells('prompt');
    await codex.writes('a.txt', 'ONE\ntwo\nthree\n');
    await (await box.session()).edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    expect(outside(box)).toEqual(['outside <outside@vedit.invalid>|outside a.txt|unclaimed, codex']);
  });

  it('is nobody’s where nobody knows when a file went, and a call ran since', async () => {
    const box = repo();
    const claude = agentAt(box);
    for (const [kind, id] of [
      ['prompt', '1'],
      ['before', 't'],
      ['after', 't'],
      ['stop', '2'],
    ] as const)
      await claude.tells(kind, id);
    rmSync(box.path('a.txt'));
    await (await box.session()).record(['a.txt'], { outside: true });
    expect(outside(box)).toEqual([
      'outside <outside@vedit.invalid>|outside a.txt|during, claude-code t Bash',
    ]);
  });

  it('is whose git’s config, or the workspace, says', async () => {
    for (const [config, outsideBy, expected] of [
      [[], 'unclaimed', 'outside <outside@vedit.invalid>|outside a.txt|unclaimed'],
      [['vedit.outside', 'mine'], 'unclaimed', `${ADA}|outside a.txt|`],
      [
        ['vedit.outsideEmail', 'bot@example.com'],
        'unclaimed',
        'outside <bot@example.com>|outside a.txt|unclaimed',
      ],
      [[], 'mine', `${ADA}|outside a.txt|`],
    ] as const) {
      const box = repo();
      if (config.length > 0) box.git('config', ...config);
      const codex = agentAt(box, { agent: 'codex' });
      if (outsideBy === 'mine') await codex.tells('prompt');
      await codex.writes('a.txt', 'ONE\n');
      await (await box.session('s1', { outsideBy })).record(['a.txt'], { outside: true });
      expect(outside(box)).toEqual([expected]);
    }
  });

  it('is nobody’s where the events cannot be read', async () => {
    const box = repo();
    box.write('.git/vedit/agents', 'no folder');
    box.write('a.txt', 'ONE\n');
    await (await box.session()).record(['a.txt'], { outside: true });
    expect(outside(box)).toEqual(['outside <outside@vedit.invalid>|outside a.txt|unclaimed']);
  });

  it('forgets the oldest of very many events, and does not guess at what was before', async () => {
    const box = repo();
    await agentAt(box).writes('a.txt', 'ONE\n');
    const events = Array.from({ length: 4_100 }, (_, n) => `.git/vedit/agents/stop.claude-code.s.${n}.-.-`);
    for (const name of events) box.write(name, '');
    const session = await box.session();
    for (const path of ['a.txt', 'b.txt']) {
      if (path === 'b.txt') box.write(path, 'B\n');
      await session.record([path], { outside: true });
    }
    expect(outside(box)).toEqual([
      `${ADA}|outside b.txt|`,
      'outside <outside@vedit.invalid>|outside a.txt|unclaimed',
    ]);
    expect(readdirSync(box.path('.git/vedit/agents'))).toHaveLength(2_048);
  });
});
