import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemGit } from '../../src/git/native/system-git.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts';
import { aMoment } from '../helpers/agent-events.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import { content, personRepo } from '../helpers/vedit.ts';

const git = systemGit(process.env);

function repo(): Sandbox {
  const box = personRepo();
  box.git('config', 'user.name', 'Ada');
  box.git('config', 'user.email', 'ada@example.com');
  return box;
}

const log = (box: Sandbox): string[] =>
  box.git('log', '--first-parent', '--format=%an|%s', 'vedit/main').split('\n').slice(0, -1);

/** A command of an agent: its hooks tell before and after it. */
async function command(
  box: Sandbox,
  workspace: Workspace,
  id: string,
  work: () => void | Promise<void>,
  end = true,
): Promise<() => Promise<void>> {
  const hook = async (hook_event_name: string): Promise<void> => {
    const tool_input = { command: 'sed -i s/a/b/ *', description: 'Change it' };
    const event = {
      session_id: 's1',
      hook_event_name,
      tool_name: 'Bash',
      tool_input,
      tool_use_id: id,
      cwd: box.dir,
    };
    const bytes = new TextEncoder().encode(JSON.stringify(event));
    await workspace.takeHook(bytes, { named: 'claude-code', git });
    await aMoment();
  };
  await hook('PreToolUse');
  await work();
  await aMoment();
  if (end) await hook('PostToolUse');
  return () => hook('PostToolUse');
}

describe('what a command of an agent did', () => {
  it('is one commit of exactly that, beside what was there before', async () => {
    const box = repo();
    await using workspace = await openWorkspace({ root: box.dir });
    box.write('a.txt', 'typed\ntwo\nthree\n');
    box.write('new by Ada.txt', 'hers\n');
    await aMoment();
    await command(box, workspace, 'c1', () => {
      box.write('a.txt', 'typed\nTWO\nthree\n');
      box.write('made.bin', Buffer.from([0, 1, 2, 255]));
      symlinkSync('a.txt', box.path('link'));
      box.git('mv', 'src/b.txt', 'c.txt');
    });
    expect(log(box)).toEqual(['claude-code|shell 4 files (+2 -1)', 'Ada|outside 2 files']);
    const raw = box.git('show', '--format=%b', '--raw', '-M', '--no-abbrev', 'vedit/main');
    expect(raw).toContain('Change it');
    expect(raw).toMatch(/R100\tsrc\/b.txt\tc.txt/);
    expect(raw).toMatch(/:000000 120000 \S+ \S+ A\tlink/);
    expect(raw).toMatch(/A\tmade.bin/);
    const after = box.git('rev-parse', 'vedit/main');
    await command(box, workspace, 'c2', () => {});
    expect(box.git('rev-parse', 'vedit/main')).toBe(after);
    expect((await workspace.verify()).data.faults).toEqual([]);
  });

  it('is a rename where a file moves with most of its lines, as git tells it', async () => {
    const box = repo();
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}\n`);
    box.write('old.txt', lines.join(''));
    await using workspace = await openWorkspace({ root: box.dir });
    await command(box, workspace, 'c1', () => {
      rmSync(box.path('old.txt'));
      box.write('new.txt', lines.with(3, 'changed\n').join(''));
    });
    expect(log(box)[0]).toBe('claude-code|shell old.txt -> new.txt (+1 -1)');
  });

  it('is one commit where a file stands for a folder, and one undo brings the folder back', async () => {
    const box = repo();
    await using workspace = await openWorkspace({ root: box.dir });
    await command(box, workspace, 'c1', () => {
      rmSync(box.path('src'), { recursive: true });
      box.write('src', 'a file\n');
    });
    expect(log(box)).toEqual(['claude-code|shell 2 files (+1 -2)']);
    await workspace.session({ agent: 'fixer' }).undo({ scope: 'trail' });
    expect(box.git('status', '--short')).toBe('');
  });

  it('keeps links by their target, and nothing of a submodule or of what LFS stores', async () => {
    const box = repo();
    const clean = 'printf "version https://git-lfs.github.com/spec/v1\\n"';
    for (const [name, value] of [
      ['clean', clean],
      ['smudge', 'cat'],
    ])
      box.git('config', `filter.lfs.${name}`, value!);
    box.write('.gitattributes', '*.bin filter=lfs\n');
    box.git('init', '-q', box.path('../lib'));
    box.git('-C', box.path('../lib'), 'commit', '-q', '--allow-empty', '-m', 'first');
    box.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', box.path('../lib'), 'lib');
    box.git('add', '-A');
    box.git('commit', '-qm', 'rules');
    await using workspace = await openWorkspace({ root: box.dir });
    await command(box, workspace, 'c1', () => {
      symlinkSync('nowhere', box.path('link'));
      box.write('big.bin', 'large\n');
      box.git('-C', 'lib', 'commit', '-q', '--allow-empty', '-m', 'second');
      box.write('lib/in.txt', 'inside\n');
      box.write('a.txt', 'one\nTWO\nthree\n');
    });
    const raw = box.git('show', '--format=', '--raw', 'vedit/main');
    expect(raw.match(/\t.*/g)).toEqual(['\ta.txt', '\tlink']);
    expect(box.git('cat-file', '-p', 'vedit/main:link')).toBe('nowhere');
    expect((await workspace.verify()).data.faults).toEqual([]);
  });

  it('is not the person’s where it commits', async () => {
    const box = repo();
    await using workspace = await openWorkspace({ root: box.dir });
    await command(box, workspace, 'c1', async () => {
      await aMoment();
      box.write('a.txt', 'one\nTWO\nthree\n');
      const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
      execFileSync('git', ['commit', '-qam', 'by the command'], { cwd: box.dir, env });
    });
    const { data } = await workspace.session().blame({ path: 'a.txt' });
    expect(data.lines.map(({ agent }) => agent)).toEqual([null, 'claude-code', null]);
  });

  it('is the branch’s where it switches', async () => {
    const box = repo();
    box.git('switch', '-qc', 'other');
    box.write('a.txt', 'from the branch\n');
    box.git('commit', '-qam', 'other', '--date=2020-01-01T00:00:00Z');
    box.git('switch', '-q', 'main');
    await using workspace = await openWorkspace({ root: box.dir });
    await command(box, workspace, 'c1', () => {
      box.git('merge', '-q', '--ff-only', 'other');
    });
    const { data } = await workspace.session().blame({ path: 'a.txt' });
    expect(data.lines.map(({ agent }) => agent)).toEqual([null]);
  });

  it('is its session’s where two ran, and says so', async () => {
    const box = repo();
    await using workspace = await openWorkspace({ root: box.dir });
    await command(
      box,
      workspace,
      'c1',
      async () => {
        const end = await command(box, workspace, 'c2', () => box.write('a.txt', 'x\n'), false);
        await end();
      },
      true,
    );
    const during = '%an|%(trailers:key=Vedit-During,valueonly,separator=%x2c)';
    expect(box.git('log', '-1', `--format=${during}`, 'vedit/main')).toBe(
      'claude-code|claude-code c2 Bash,claude-code c1 Bash',
    );
  });

  it('is told from what is typed after it, and is nobody’s where the same file was', async () => {
    const box = repo();
    await using workspace = await openWorkspace({ root: box.dir });
    await command(box, workspace, 'c1', () => box.write('a.txt', 'by it\n'));
    await aMoment();
    box.write('a.txt', 'by it\ntyped\n');
    await aMoment();
    await command(box, workspace, 'c2', () => rmSync(box.path('src/b.txt')));
    expect(log(box).map(line => line.replace(/ \(.*/, ''))).toEqual([
      'claude-code|shell src/b.txt',
      expect.stringMatching(/\|outside a.txt$/),
      'claude-code|shell a.txt',
    ]);
  });

  it('leaves out repositories inside, ignored files and what a filter makes', async () => {
    const box = repo();
    box.write('.gitattributes', '*.lfs filter=lfs\n');
    box.write('.gitignore', '*.env\n');
    box.git('add', '-A');
    box.git('commit', '-qm', 'rules');
    await using workspace = await openWorkspace({ root: box.dir });
    await command(box, workspace, 'c1', () => {
      mkdirSync(box.path('inner'));
      box.git('init', '-q', box.path('inner'));
      box.write('inner/x.txt', 'x\n');
      box.write('secret.env', 'KEY=1\n');
      box.write('big.lfs', 'content\n');
      box.write('plain.txt', 'x\n');
    });
    expect(log(box)).toEqual(['claude-code|shell plain.txt (+1 -0)', 'Ada|rules']);
    await command(box, workspace, 'c2', () => {});
    expect(log(box)).toHaveLength(2);
  });
});

describe('a program', () => {
  it('is told of what a filter makes, which nobody can record', async () => {
    const box = repo();
    box.write('.gitattributes', '*.up filter=up\n');
    box.git('config', 'filter.up.clean', 'tr a-z A-Z');
    box.write('a.up', 'one\n');
    box.git('add', '-A');
    box.git('commit', '-qm', 'filtered');
    await using workspace = await openWorkspace({ root: box.dir });
    const session = workspace.session({ agent: 'formatter' });
    const { done, passed } = await session.during(async () => box.write('a.up', 'two\n'), { git });
    expect([done, passed]).toEqual([null, ['a.up']]);
  });

  it.each([true, false])('records what it did itself, by git: %j', async hasGit => {
    const box = repo();
    await using workspace = await openWorkspace({ root: box.dir });
    const session = workspace.session({ agent: 'formatter', id: 's1' });
    const options = { reason: 'louder', ...(hasGit ? { git } : {}) };
    box.write('a.txt', 'typed\ntwo\nthree\n');
    await aMoment();
    const { value, done, outside } = await session.during(async () => {
      await aMoment();
      box.write('a.txt', 'typed\nTWO\nthree\n');
      rmSync(box.path('src/b.txt'));
      await aMoment();
      return 7;
    }, options);
    expect([value, done?.subject, outside]).toEqual([7, 'shell 2 files (+1 -3)', null]);
    expect(log(box)).toEqual(['formatter|shell 2 files (+1 -3)', 'Ada|outside a.txt']);
    box.write('new.txt', 'x\n');
    expect((await session.recordAll(options)).done?.subject).toBe('shell new.txt (+1 -0)');
    expect((await session.recordAll(options)).done).toBe(null);
    expect(content(box, 'new.txt')).toBe('x\n');
  });

  it('that fails has done what it did', async () => {
    const box = repo();
    await using workspace = await openWorkspace({ root: box.dir });
    const work = async (): Promise<void> => {
      await aMoment();
      box.write('a.txt', 'half\n');
      await aMoment();
      throw new Error('no more');
    };
    await expect(workspace.session({ agent: 'formatter' }).during(work, { git })).rejects.toThrow('no more');
    expect(log(box)).toEqual(['formatter|shell a.txt (+1 -3)']);
  });
});
