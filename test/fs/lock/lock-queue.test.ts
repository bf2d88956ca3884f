import { describe, expect, it } from 'vitest';
import { type Holding, LockQueue } from '../../../src/fs/lock/lock-queue.ts';
import type { Line, Reached, SocketFolder } from '../../../src/fs/lock/sockets.ts';

/** Sockets of processes that all live in this test. */
class Street {
  readonly listeners = new Map<string, (line: Line) => void>();
  readonly texts: string[] = [];

  folder(): SocketFolder {
    return {
      listen: (name, accept) => {
        this.listeners.set(name, accept);
        return { dev: '1', ino: name };
      },
      descriptor: () => null,
      idOf: name => (this.listeners.has(name) ? { dev: '1', ino: name } : null),
      connect: async name => this.#connect(name),
      turn: async () => {},
      close: () => {},
    };
  }

  /** A process is gone, and so are its connections. */
  ends(name: string): void {
    this.listeners.delete(name);
    for (const end of this.#connected.get(name) ?? []) end.close();
  }

  readonly #connected = new Map<string, End[]>();

  #connect(name: string): Reached {
    const accept = this.listeners.get(name);
    if (!accept) return 'refused';
    const [here, there] = [new End(), new End()];
    this.#connected.set(name, [...(this.#connected.get(name) ?? []), there]);
    [here.other, there.other] = [there, here];
    here.note = there.note = text => this.texts.push(text);
    accept(there);
    return here;
  }
}

class End implements Line {
  other!: End;
  note!: (text: string) => void;
  readonly #early: string[] = [];
  readonly #ends: Array<() => void> = [];
  #tell: ((text: string) => void) | null = null;

  send(text: string): void {
    this.note(text);
    if (this.other.#tell) this.other.#tell(text);
    else this.other.#early.push(text);
  }
  onText(tell: (text: string) => void): void {
    this.#tell = tell;
    for (const text of this.#early.splice(0)) tell(text);
  }
  onEnd(tell: () => void): void {
    this.#ends.push(tell);
  }
  close(): void {
    for (const end of [this, this.other]) for (const tell of end.#ends) tell();
  }
}

interface Member {
  turns: LockQueue;
  token: string;
  state: Holding;
}

function member(street: Street, letter: string): Member {
  const token = letter.repeat(24);
  const one = { token, state: 'free' as Holding } as Member;
  one.turns = new LockQueue(street.folder(), token, () => ({ state: one.state, since: 7 }));
  one.turns.listen();
  return one;
}

function waits(one: Member, owner: Member): Promise<boolean> {
  one.turns.startWaiting();
  return one.turns.lineUp(owner.token).then(() => one.turns.pause(2_000));
}

const later = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 5));

describe('turns', () => {
  it('go round in the order in which they were asked for, with the line handed on', async () => {
    const street = new Street();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(letter => member(street, letter)) as [
      Member,
      Member,
      Member,
      Member,
    ];
    a.state = 'held';
    const order: string[] = [];
    for (const one of [b, c, d]) {
      void waits(one, a).then(isCalled => order.push(`${one.token[0]} ${isCalled}`));
      await later();
    }
    expect([a.turns.isWanted, b.turns.isWanted]).toEqual([true, false]);
    let holder = a;
    for (const next of [b, c, d]) {
      holder.state = 'free';
      holder.turns.pass();
      await later();
      next.turns.stopWaiting(true);
      next.state = 'held';
      holder = next;
    }
    expect(order).toEqual(['b true', 'c true', 'd true']);
    expect(d.turns.isWanted).toBe(false);
  });

  it('who let go gets in line behind whom it woke, and is not bounced', async () => {
    const street = new Street();
    const [a, b] = [member(street, 'a'), member(street, 'b')];
    a.state = 'held';
    const called = waits(b, a);
    await later();
    a.state = 'free';
    a.turns.pass();
    expect(a.turns.successor).toBe(b.token);
    const again = waits(a, b);
    expect(await called).toBe(true);
    b.turns.stopWaiting(true);
    b.state = 'held';
    await later();
    expect(b.turns.isWanted).toBe(true);
    b.state = 'free';
    b.turns.pass();
    expect(await again).toBe(true);
    expect(a.turns.successor).toBe(null);
  });

  it.each([
    ['it is called itself', `go ${'c'.repeat(24)}`, null],
    ['that one asks in its turn', `want ${'b'.repeat(24)}`, null],
    ['not when a third one asks', `want ${'c'.repeat(24)}`, 'b'.repeat(24)],
  ])('who let go leaves the turn to whom it woke, until %s', async (_, text, successor) => {
    const street = new Street();
    const [a, b] = [member(street, 'a'), member(street, 'b')];
    a.state = 'held';
    const called = waits(b, a);
    await later();
    a.state = 'free';
    a.turns.pass();
    a.turns.startWaiting();
    street.listeners.get(a.token)!(lineThatSays(text));
    expect(a.turns.successor).toBe(successor);
    expect(await called).toBe(true);
  });

  it('one that neither holds nor waits passes a call on, and the line with it', async () => {
    const street = new Street();
    const [a, b, c] = [member(street, 'a'), member(street, 'b'), member(street, 'c')];
    a.state = 'held';
    const gaveUp = waits(b, a);
    await later();
    const called = waits(c, a);
    await later();
    b.turns.stopWaiting(false);
    a.state = 'free';
    a.turns.pass();
    expect(await called).toBe(true);
    await gaveUp;
  });

  it('who gives up hands those behind it on', async () => {
    const street = new Street();
    const [a, b, c] = [member(street, 'a'), member(street, 'b'), member(street, 'c')];
    a.state = 'held';
    const gaveUp = waits(b, a);
    await later();
    const called = waits(c, b);
    await later();
    expect(b.turns.isWanted).toBe(true);
    b.turns.stopWaiting(false);
    expect(await called).toBe(true);
    a.state = 'free';
    a.turns.pass();
    await gaveUp;
  });

  it('who accepts and never greets is not waited for longer than for a greeting', async () => {
    const street = new Street();
    const a = member(street, 'a');
    street.listeners.set('m'.repeat(24), () => {});
    expect(await a.turns.reach('m'.repeat(24))).toBe('alive');
    await a.turns.greeted('m'.repeat(24));
    expect(a.turns.sinceOf('m'.repeat(24))).toBe(null);
  });

  it('who dies is passed over', async () => {
    const street = new Street();
    const [a, c] = [member(street, 'a'), member(street, 'c')];
    a.state = 'held';
    const called = waits(c, a);
    await later();
    const prober = member(street, 'd');
    await prober.turns.reach(a.token);
    // Somebody of whom nothing is there any more stands before the other.
    street.listeners.get(a.token)!(lineThatSays(`want ${'e'.repeat(24)}`));
    a.state = 'free';
    a.turns.pass();
    expect(await called).toBe(true);
  });

  it('who was reached and ended is asked anew, and so no longer alive', async () => {
    const street = new Street();
    const [a, b] = [member(street, 'a'), member(street, 'b')];
    expect(await a.turns.reach(b.token)).toBe('alive');
    street.ends(b.token);
    expect(await a.turns.reach(b.token)).toBe('refused');
  });

  it('who asks again and again over one connection is listened to once', () => {
    const street = new Street();
    const a = member(street, 'a');
    a.state = 'held';
    let listeners = 0;
    const text = `want ${'b'.repeat(24)}`;
    const onText = (tell: (text: string) => void): void => {
      for (let n = 0; n < 100; n++) tell(text);
    };
    const line = { ...lineThatSays(''), onText, onEnd: () => void listeners++ };
    street.listeners.get(a.token)!(line);
    // One of the connection, one of who waits.
    expect(listeners).toBe(2);
  });

  it('one that cannot remove its lock tells whoever asks, and who asked before', async () => {
    const street = new Street();
    const [a, b, c] = [member(street, 'a'), member(street, 'b'), member(street, 'c')];
    a.state = 'held';
    expect(await b.turns.reach(a.token)).toBe('alive');
    a.state = 'stuck';
    a.turns.tellStuck();
    expect(await b.turns.reach(a.token)).toBe('stuck');
    await c.turns.reach(a.token);
    expect(await c.turns.reach(a.token)).toBe('stuck');
    expect(c.turns.sinceOf(a.token)).toBe(7);
  });

  it('who waits gets in line once, however often it looks', async () => {
    const street = new Street();
    const [a, b] = [member(street, 'a'), member(street, 'b')];
    a.state = 'held';
    b.turns.startWaiting();
    for (const _ of ['once', 'twice']) expect(await b.turns.lineUp(a.token)).toBe(true);
    expect(street.texts.filter(text => text.startsWith('want'))).toEqual([`want ${b.token}`]);
  });

  it('texts that are none are passed over', async () => {
    const street = new Street();
    const a = member(street, 'a');
    a.state = 'held';
    for (const text of ['', 'want', 'want x', 'go', 'go ../../x', 'owner', '\0', 'want '.repeat(1_000)])
      street.listeners.get(a.token)!(lineThatSays(text));
    expect(a.turns.isWanted).toBe(false);
    for (let n = 0; n < 3_000; n++)
      street.listeners.get(a.token)!(lineThatSays(`want ${String(n).padStart(24, '0')}`));
    expect(a.turns.isWanted).toBe(true);
  });
});

function lineThatSays(text: string): Line {
  return { send: () => {}, onText: tell => tell(text), onEnd: () => {}, close: () => {} };
}
