/** The same scenes at length: more sandboxes, more edits, and owners that only a lease can tell of, which takes half a minute. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../helpers/locks.ts';
import { editTogether } from './editing.ts';
import {
  BOX,
  container,
  HOST,
  innermost,
  mounted,
  noOverlay,
  noSandbox,
  overlay,
  startHolder,
} from './sandboxed-processes.ts';

const reason = noSandbox();
const HOMES = [
  ['on the branch', true],
  ['beside the branch', false],
] as const;

describe.skipIf(reason)(`sandboxes${reason ? ` (left out: ${reason})` : ''}`, () => {
  describe.each(HOMES)('%s', (_, own) => {
    it.each([1, 2, 3, 4, 5])('a host and three sandboxes lose nothing, round %i', async () => {
      expect(await editTogether(own, [HOST, BOX, container('c0ffee01'), container('c0ffee02')], 60)).toEqual(
        [],
      );
    });

    it('twelve sandboxes lose nothing', async () => {
      const walls = Array.from({ length: 12 }, (_, n) => (n % 2 ? BOX : container(`c0ffee${n}`)));
      expect(await editTogether(own, walls, 20)).toEqual([]);
    });
  });

  it('one that was stopped, of which only the lease can tell, loses its lock and notices', async () => {
    const folder = scratch();
    const owner = startHolder(container('c0ffee01'), folder, 0, 'brief');
    const { token } = await owner.next();
    const pid = innermost(owner);
    process.kill(pid, 'SIGSTOP');
    const next = startHolder(BOX, folder, 100);
    expect(await next.next()).toMatchObject({ tookOver: [token] });
    process.kill(pid, 'SIGCONT');
    owner.tell('mine');
    expect(await owner.next()).toEqual({ mine: false });
    owner.tell('release');
    await owner.next();
    next.tell('mine');
    expect(await next.next()).toEqual({ mine: true });
  });

  it('one that lives and cannot be asked keeps its lock for as long as it wants', async () => {
    const folder = scratch();
    const owner = startHolder(container('c0ffee01'), folder, 0, 'brief');
    await owner.next();
    const next = startHolder(BOX, folder, 40_000);
    expect(await next.next()).toMatchObject({ refused: 'LOCKED' });
    owner.tell('mine');
    expect(await owner.next()).toEqual({ mine: true });
  });

  const unlayered = reason ?? noOverlay();
  it.skipIf(unlayered)(
    `one in an overlay is seen from the host by its lease alone${unlayered ? ` (left out: ${unlayered})` : ''}`,
    async () => {
      const folder = scratch();
      for (const name of ['l', 'u', 'w', 'm']) mkdirSync(join(folder, name));
      const owner = startHolder(mounted(overlay(folder), 'c0ffee01'), join(folder, 'm', 'vedit'), 0);
      const { token } = await owner.next();
      process.kill(innermost(owner), 'SIGKILL');
      const next = startHolder(HOST, join(folder, 'u', 'vedit'), 100);
      expect(await next.next()).toMatchObject({ tookOver: [token] });
    },
  );
});
