import { expect, it, onTestFinished, vi } from 'vitest';
import { PresentChange } from '../../../src/workspace/transaction/present-change.ts';

/** A change that ends when it is told so. */
function change(): { made: Promise<void>; end(how: 'done' | 'refused'): void } {
  let settle: ((how: 'done' | 'refused') => void) | undefined;
  const made = new Promise<void>((resolve, reject) => {
    settle = how => (how === 'done' ? resolve() : reject(new Error(how)));
  });
  return { made, end: how => settle!(how) };
}

/** Whether the present change has ended for who waits, after what has happened so far was handed on. */
function waiting(present: PresentChange): () => Promise<boolean> {
  let isOver = false;
  void present.ended().then(() => {
    isOver = true;
  });
  return async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    return isOver;
  };
}

it('nobody waits where there is none', async () => {
  expect(await waiting(new PresentChange())()).toBe(true);
});

it.each(['done', 'refused'] as const)(
  'who waits goes on when it is %s, also before the next one ends',
  async how => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const present = new PresentChange();
    const { made, end } = change();
    present.begin(made);
    const first = waiting(present);
    expect(await first()).toBe(false);
    end(how);
    present.begin(new Promise(() => {}));
    const second = waiting(present);
    expect([await first(), await second()]).toEqual([true, false]);
  },
);

it('when it ends nothing is left that keeps a process alive', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const present = new PresentChange();
  const { made, end } = change();
  present.begin(made);
  const isOver = waiting(present);
  end('done');
  expect([await isOver(), vi.getTimerCount(), await waiting(present)()]).toEqual([true, 0, true]);
});

it('one that takes long is waited for no longer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const present = new PresentChange();
  present.begin(new Promise(() => {}));
  const isOver = waiting(present);
  await vi.advanceTimersByTimeAsync(40);
  expect(await isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(40);
  expect(await isOver()).toBe(true);
});
