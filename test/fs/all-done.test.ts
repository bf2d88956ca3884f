import { describe, expect, it } from 'vitest';
import { eachDone } from '../../src/fs/all-done.ts';

const items = Array.from({ length: 1000 }, (_, n) => n);

describe('eachDone', () => {
  it('answers in order, with a bounded number under way at a time', async () => {
    let [underWay, most] = [0, 0];
    const results = await eachDone(items, async n => {
      most = Math.max(most, ++underWay);
      await new Promise(resolve => setTimeout(resolve, n % 3));
      underWay--;
      return n * 2;
    });
    expect(results).toEqual(items.map(n => n * 2));
    expect(most).toBe(64);
  });

  it('fails with the first error, when all of them have come to their end', async () => {
    const ended: number[] = [];
    const work = async (n: number): Promise<void> => {
      await Promise.resolve();
      ended.push(n);
      if (n % 300 === 299) throw new Error(`of ${n}`);
    };
    await expect(eachDone(items, work)).rejects.toThrow('of 299');
    expect(ended).toHaveLength(1000);
  });

  it('has nothing to do for none', async () => {
    expect(await eachDone([], () => Promise.reject(new Error()))).toEqual([]);
  });
});
