import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onlyProcess } from '../../src/fs/lock/processes.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openOn } from '../../src/workspace/open.ts';
import type { Session } from '../../src/workspace/session.ts';
import { crashAt, type FaultFs, faultFs } from '../helpers/fault-fs.ts';
import { ownRepo, type Place, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';
import { STRIDE } from '../helpers/sampling.ts';
import { expectAgreement } from './git-agrees.ts';

const OLD = 'a\r\nb\nc\r\n';
const NEW = 'A\r\nb\nc\r\n';

/** The bytes on disk are in no object of git, before the edit and after it. */
function template(): Place {
  const repo = ownRepo({ '.gitattributes': '* text\n', 'a.txt': 'a\nb\nc\n' });
  repo.write('a.txt', OLD);
  repo.git('add', 'a.txt');
  return repo;
}

/** In memory where that is possible: what is tried here needs no real syncs. */
const TOP = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

function copyOf(repo: Place): Place {
  const dir = realpathSync(mkdtempSync(join(TOP, 'vedit-state-')));
  cpSync(repo.dir, dir, { recursive: true, preserveTimestamps: true });
  return place(at(dir));
}

type Durability = 'full' | 'journal';

async function open(fs: ReturnType<typeof nodeFs>, repo: Place, durability: Durability): Promise<Session> {
  const platform = { fs, codec: nativeCodec, processes: onlyProcess() };
  return (
    await openOn(platform, { root: repo.dir, durability, patience: { engine: 200, git: 100 } })
  ).session();
}

async function edit(fs: FaultFs, repo: Place, durability: Durability): Promise<boolean> {
  const session = await open(fs, repo, durability);
  const input = { path: 'a.txt', old_str: 'a', new_str: 'A' };
  return session.edit('str_replace', input).then(
    () => true,
    () => false,
  );
}

describe.each(['full', 'journal'] as const)(
  'a file with line ends that git does not record, durability %s',
  durability => {
    it('is old or new, byte for byte, after a crash at any call once the journal is there', async () => {
      const repo = template();
      const counting = faultFs(nodeFs());
      const trial = copyOf(repo);
      expect(await edit(counting, trial, durability)).toBe(true);
      rmSync(trial.dir, { recursive: true });
      const journal = counting.trace.find(
        call => call.method === 'handle.write' && /vedit.journal\.\d+$/.test(call.path),
      )!.n;
      for (let n = journal, i = 0; n <= counting.trace.length; n += STRIDE, i++) {
        const state = copyOf(repo);
        const done = await edit(faultFs(nodeFs(), crashAt(n, 'before')), state, durability).catch(
          () => false,
        );
        const session = await open(nodeFs(), state, durability);
        await session.edit('create', { path: 'next.txt', file_text: 'next\n' });
        const isNew = state.git('show', 'main~1:a.txt') === 'A\nb\nc';
        if (done) expect(isNew).toBe(true);
        expect(`${n} ${state.read('a.txt')}`).toBe(`${n} ${isNew ? NEW : OLD}`);
        if (i % 10 === 0) expectAgreement(state, 'main');
        rmSync(state.dir, { recursive: true });
      }
    });
  },
);
