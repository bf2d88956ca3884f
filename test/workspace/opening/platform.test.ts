import nodeFs from 'node:fs';
import { createFsFromVolume, Volume } from 'memfs';
import { describe, expect, it } from 'vitest';
import { nodeProcesses } from '../../../src/fs/node/processes.ts';
import { memoryFs } from '../../../src/index.ts';
import { type PlatformOptions, platformFor } from '../../../src/workspace/opening/platform.ts';
import { scratch } from '../../helpers/locks.ts';

type Given = NonNullable<PlatformOptions['fs']>;

const WAYS: ReadonlyArray<[string, () => Given]> = [
  ['node’s own module', () => nodeFs as unknown as Given],
  ['a copy of it', () => ({ promises: { ...nodeFs.promises } }) as unknown as Given],
  ['a proxy of it', () => ({ promises: new Proxy(nodeFs.promises, {}) }) as unknown as Given],
  ['the part that isomorphic-git asks for', () => ({ promises: withoutOpen() }) as unknown as Given],
];

function withoutOpen(): object {
  const { open: _, ...rest } = nodeFs.promises;
  return rest;
}

describe('a file system that is given', () => {
  it.each(WAYS)('%s is the disk: the same processes and locks', async (_, given) => {
    const { processes } = await platformFor({ root: scratch(), fs: given() });
    expect(processes).toBe(nodeProcesses());
  });

  it('memory is one program’s own, whoever opens it', async () => {
    const fs = memoryFs();
    await fs.promises.mkdir('/repo');
    const [first, second] = [
      await platformFor({ root: '/repo', fs }),
      await platformFor({ root: '/repo', fs }),
    ];
    expect(first.processes.alone).toBe(true);
    expect(second.processes).toBe(first.processes);
    const other = (await platformFor({ root: '/repo', fs: memoryFs() })).processes;
    expect(first.processes.isAlive(other.self, 'other')).toBe(false);
  });

  it('so is another one that is not the disk', async () => {
    const fs = createFsFromVolume(Volume.fromJSON({ '/repo/a': '' })) as unknown as Given;
    const { processes } = await platformFor({ root: '/repo', fs });
    expect(processes.alone).toBe(true);
    expect(processes.isAlive({ ...processes.self, boot: 'another' }, 'other')).toBe(false);
  });

  it('one that shows another folder under the same path is not the disk', async () => {
    const [inside, outside] = [scratch(), scratch()];
    const moved = {
      ...nodeFs.promises,
      lstat: (_: string, options: object) => nodeFs.promises.lstat(inside, options),
    };
    const fs = { promises: moved } as unknown as Given;
    expect((await platformFor({ root: outside, fs })).processes).not.toBe(nodeProcesses());
  });
});
