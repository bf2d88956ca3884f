import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentReport } from '../../../../src/surfaces/cli/commands/doctor.ts';
import { deadLock } from '../../../helpers/locks.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { BIN, cleanEnv, personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

/** A repository whose lock is that of a container that is gone. */
function locked(): Sandbox {
  const box = personRepo();
  mkdirSync(box.path('.git/vedit'));
  const lock = deadLock({ host: 'c0ffee01', boot: 'another', space: 'pid:[1] time', pid: 7 });
  writeFileSync(box.path('.git/vedit/lock'), JSON.stringify(lock));
  return box;
}

describe('doctor', () => {
  it('tells who holds the lock, and changes nothing', async () => {
    const box = locked();
    const { code, out } = await vedit(box, ['doctor']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('process 7 on c0ffee01') });
    expect(existsSync(box.path('.git/vedit/lock'))).toBe(true);
    const free = await veditJson(personRepo(), ['doctor']);
    expect(free).toMatchObject({ ok: true, exit: 0, data: { lock: { state: 'free' } } });
  });

  it('--unlock asks a person, and only y is yes', async () => {
    const box = locked();
    const asked = { tty: ['in', 'err'] as const };
    const no = await vedit(box, ['doctor', '--unlock'], { ...asked, input: '\n' });
    expect(no.err).toContain('Take the lock from that process? [y/N]');
    expect(no.err).toContain('process 7 on c0ffee01');
    expect(existsSync(box.path('.git/vedit/lock'))).toBe(true);
    const yes = await vedit(box, ['doctor', '--unlock'], { ...asked, input: 'y\n' });
    expect(yes).toMatchObject({ code: 0, out: expect.stringContaining('and repaired') });
    expect(existsSync(box.path('.git/vedit/lock'))).toBe(false);
  });

  it('--unlock without a terminal needs --yes', async () => {
    const box = locked();
    expect(await vedit(box, ['doctor', '--unlock'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--yes'),
    });
    expect(existsSync(box.path('.git/vedit/lock'))).toBe(true);
    const done = await veditJson(box, ['doctor', '--unlock', '--yes']);
    expect(done).toMatchObject({ ok: true, data: { unlocked: true, lock: { state: 'free' } } });
    expect(await vedit(box, ['doctor', '--unlock'])).toMatchObject({ code: 0 });
  });
});

describe('doctor says of agents', () => {
  it('what is in which file, of which version, trusted or not, and when it was heard last', async () => {
    const box = personRepo();
    for (const client of ['claude-code', 'gemini']) await vedit(box, ['install', client, '--yes']);
    box.write('.git/vedit/agents/prompt.claude-code.s1.1.-.-', '');
    box.write('.git/vedit/agents/after.claude-code.s1.c1.Bash.-', '');
    box.write('.git/vedit/spool/1', '{}');
    box.write('../home/.gemini/trustedFolders.json', JSON.stringify({ [box.dir]: 'TRUST_FOLDER' }));
    const { out } = await vedit(box, ['doctor'], { env: { PATH: `${dirname(BIN)}` } });
    expect(out).toContain('claude-code, not trusted yet: start it here once\n');
    expect(out).toMatch(/ {2}\.mcp\.json: server/);
    expect(out).toMatch(/ {2}\.claude\/settings\.json: hooks \(SessionStart, .*PostToolUse.*\); rights/);
    expect(out).toMatch(/ {2}last heard: (prompt|after) \d{4}-.*Z, (prompt|after) /);
    expect(out).toContain('gemini, trusted\n');
    expect(out).toContain('never heard of here');
    expect(out).toContain('1 events of agents wait to be recorded');
    expect(out).not.toContain('twice');
    expect(out).not.toContain('codex');
  });

  it('which events are told twice, and the version that a user’s settings start', async () => {
    const box = personRepo();
    const { argv } = process;
    process.argv = [argv[0]!, BIN];
    await vedit(box, ['install', 'claude-code']);
    await vedit(box, ['install', 'claude-code', '--user']);
    process.argv = argv;
    const { data } = await veditJson<{ agents: AgentReport[]; spooled: number }>(box, ['doctor']);
    expect(data).toMatchObject({ spooled: 0, lock: { state: 'free' } });
    const [{ client, files, twice, trusted }] = data.agents as [AgentReport];
    expect({ client, trusted }).toEqual({ client: 'claude-code', trusted: false });
    expect(twice).toContain('PreToolUse');
    expect(files.map(({ file }) => file)).toEqual([
      '.mcp.json',
      '.claude/settings.json',
      '~/.claude.json',
      '~/.claude/settings.json',
    ]);
    const { version } = JSON.parse(readFileSync(join(dirname(BIN), '../package.json'), 'utf8'));
    expect(files.slice(2).map(one => one.version)).toEqual([version, version]);
  });

  it('which repositories inside have no history', async () => {
    const box = personRepo();
    for (const name of ['lib', 'own']) {
      box.git('init', '-q', box.path(name));
      box.git('-C', name, 'commit', '-q', '--allow-empty', '-m', 'first');
    }
    await vedit(box, ['install', 'claude-code', '--yes', '-C', 'own']);
    await vedit(box, ['run', 'true']);
    const { out } = await vedit(box, ['doctor']);
    expect(out).toContain('nothing is recorded of the repositories in lib: vedit install there changes that');
  });

  it('which repositories elsewhere its agents edit, that have no history', async () => {
    const box = personRepo();
    mkdirSync(box.path('.git/vedit'));
    box.git('init', '-q', box.path('../beside'));
    const tool_input = { file_path: box.path('../beside/a.txt') };
    const event = { session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Write', tool_input };
    for (let n = 0; n < 2; n++)
      spawnSync(join(dirname(BIN), 'vedit-hook'), ['claude-code'], {
        ...{ cwd: box.dir, env: cleanEnv(box, {}), input: JSON.stringify(event) },
      });
    expect(readdirSync(box.path('.git/vedit/agents'))).toHaveLength(1);
    expect((await vedit(box, ['doctor'])).out).toMatch(
      /^nothing is recorded of the repositories in \S+\/beside: vedit install there/m,
    );
    mkdirSync(box.path('../beside/.git/vedit'));
    expect((await vedit(box, ['doctor'])).out).not.toContain('beside');
  });

  it('that a file cannot be read', async () => {
    const box = personRepo();
    box.write('.claude/settings.json', '{');
    expect((await vedit(box, ['doctor'])).out).toContain('was left as it is: it is not JSON at line 1');
  });
});
