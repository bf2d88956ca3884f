/** A process is killed at each call of the file system that it makes while it records what agents' hooks tell. */

import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Fs } from '../../src/fs/fs.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { systemGit } from '../../src/git/native/system-git.ts';
import { openOn, type Workspace } from '../../src/workspace/open.ts';
import { aMoment } from '../helpers/agent-events.ts';
import { crashAt, faultFs, TEARS } from '../helpers/fault-fs.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import { STRIDE } from '../helpers/sampling.ts';
import { personRepo } from '../helpers/vedit.ts';
import { processOfBoot } from './fault-harness.ts';

/** In the normal tests some of the calls, one each otherwise. */
const EVERY = STRIDE === 1 ? 1 : 31;

const git = systemGit(process.env);

/** A workspace of a process of its own, to which every other one has died. */
function opened(box: Sandbox, fs: Fs = nodeFs()): Promise<Workspace> {
  const patience = { engine: 200, git: 100 };
  return openOn({ fs, codec: nativeCodec, processes: processOfBoot('first') }, { root: box.dir, patience });
}

async function done(box: Sandbox, work: (workspace: Workspace) => Promise<unknown>): Promise<void> {
  const workspace = await opened(box);
  await work(workspace).finally(() => workspace.close());
}

interface Story {
  prepare(box: Sandbox): Promise<void>;
  work(workspace: Workspace): Promise<unknown>;
  check(box: Sandbox): Promise<void>;
}

/** Runs the work once for each call it makes, and dies there. Answers how many. */
async function killedEverywhere({ prepare, work, check }: Story): Promise<number> {
  const box = personRepo();
  box.git('config', 'user.name', 'Ada');
  box.git('config', 'user.email', 'ada@example.com');
  const start = box.path('../start');
  cpSync(box.dir, start, { recursive: true });
  let tried = 0;
  for (let at = 1; ; at += EVERY) {
    rmSync(box.dir, { recursive: true });
    cpSync(start, box.dir, { recursive: true });
    await prepare(box);
    const fs = faultFs(nodeFs(), crashAt(at, TEARS[tried % TEARS.length]!));
    await opened(box, fs)
      .then(workspace => work(workspace).finally(() => workspace.close()))
      .catch(() => {});
    await check(box);
    if (!fs.crashed) return tried;
    tried++;
  }
}

const bytes = (event: object): Uint8Array => new TextEncoder().encode(JSON.stringify(event));

const lines = async (box: Sandbox): Promise<string[]> => {
  let found: string[] = [];
  await done(box, async workspace => {
    const { data } = await workspace.session().blame({ path: 'a.txt' });
    found = data.lines.map(({ text, agent, author }) => `${agent ?? author} ${text}`);
    const { faults } = (await workspace.verify()).data;
    // The next edit finishes it, and here is none.
    expect(faults.filter(({ kind }) => kind !== 'interrupted')).toEqual([]);
  });
  return found;
};

const subjects = (box: Sandbox): string[] => box.git('log', '--format=%s', 'vedit/main').trim().split('\n');

it('an event that waits is one edit, wherever a process that takes it dies', {
  timeout: 600_000,
}, async () => {
  const tried = await killedEverywhere({
    async prepare(box) {
      box.write('a.txt', 'ONE\nTWO\nthree\n');
      mkdirSync(box.path('.git/vedit/spool'), { recursive: true });
      for (const [n, [old_string, new_string]] of [
        ['one', 'ONE'],
        ['two', 'TWO'],
      ].entries()) {
        const tool_input = { file_path: box.path('a.txt'), old_string, new_string };
        const event = { session_id: 's1', hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input };
        const file = box.path(`.git/vedit/spool/claude-code.${n}`);
        writeFileSync(file, bytes({ ...event, cwd: box.dir, tool_use_id: `toolu_${n}` }));
      }
      writeFileSync(box.path('.git/vedit/pending'), '');
    },
    work: workspace => workspace.session().log(),
    async check(box) {
      expect(await lines(box)).toEqual(['claude-code ONE', 'claude-code TWO', 'Ada three']);
      const edits = subjects(box).filter(one => one.startsWith('Edit'));
      expect(edits).toEqual(['Edit a.txt (+1 -1)', 'Edit a.txt (+1 -1)']);
      expect(readdirSync(box.path('.git/vedit/spool'))).toEqual([]);
    },
  });
  expect(tried).toBeGreaterThan(3);
});

it('what a command did is no person’s, wherever the process that looks dies', {
  timeout: 600_000,
}, async () => {
  const hook =
    (hook_event_name: string, cwd?: string) =>
    (workspace: Workspace): Promise<unknown> => {
      const call = { tool_name: 'Bash', tool_input: { command: 'sed' }, tool_use_id: 'toolu_1' };
      const event = { session_id: 's1', hook_event_name, ...(hook_event_name.includes('Tool') ? call : {}) };
      return workspace.takeHook(bytes({ ...event, cwd }), { named: 'claude-code', git });
    };
  const tried = await killedEverywhere({
    async prepare(box) {
      await done(box, hook('UserPromptSubmit'));
      await done(box, hook('PreToolUse'));
      await aMoment();
      box.write('a.txt', 'one\nTWO\nthree\n');
      await aMoment();
    },
    work: hook('PostToolUse'),
    async check(box) {
      await done(box, hook('Stop'));
      expect(['claude-code TWO', 'outside TWO']).toContain((await lines(box))[1]);
      const made = subjects(box);
      await done(box, hook('Stop'));
      expect(subjects(box)).toEqual(made);
      expect(made.filter(one => /a\.txt/.test(one))).toHaveLength(1);
    },
  });
  expect(tried).toBeGreaterThan(3);
});

it('leaves nothing of a front that was killed for longer than an hour', async () => {
  const box = personRepo();
  mkdirSync(box.path('.git/vedit/spool'), { recursive: true });
  const files = ['event.12', 'look.12.stamp', 'spool/.12'];
  for (const name of [...files, 'pending']) writeFileSync(box.path('.git/vedit', name), '');
  await done(box, workspace => workspace.session().log());
  expect(readdirSync(box.path('.git/vedit'))).toContain('event.12');
  const later = new Date(Date.now() + 7_200_000);
  writeFileSync(box.path('.git/vedit/pending'), '');
  const patience = { engine: 200, git: 100 };
  const platform = { fs: nodeFs(), codec: nativeCodec, processes: processOfBoot('first') };
  const workspace = await openOn(platform, { root: box.dir, patience, now: () => later });
  await workspace.session().log();
  await workspace.close();
  expect(readdirSync(box.path('.git/vedit')).filter(name => name.includes('.12'))).toEqual([]);
  expect(readdirSync(box.path('.git/vedit/spool'))).toEqual([]);
});
