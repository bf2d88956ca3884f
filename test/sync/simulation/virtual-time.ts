/** Processes in virtual time: each yields the milliseconds that it waits, and nothing takes any time besides. */

export type Process = Generator<number, void, void>;

interface Waiting {
  at: number;
  order: number;
  process: Process;
}

export class VirtualTime {
  now = 0;
  #order = 0;
  /** A heap: the next one first. */
  readonly #waiting: Waiting[] = [];

  start(process: Process): void {
    this.#add(this.now, process);
  }

  /** Until then; what waits longer is left where it is. */
  run(until: number): void {
    for (let next = this.#waiting[0]; next && next.at <= until; next = this.#waiting[0]) {
      this.#take();
      this.now = next.at;
      const { done, value } = next.process.next();
      if (!done) this.#add(this.now + value, next.process);
    }
    this.now = until;
  }

  #add(at: number, process: Process): void {
    const heap = this.#waiting;
    heap.push({ at, order: this.#order++, process });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!isBefore(heap[child]!, heap[parent]!)) return;
      [heap[child], heap[parent]] = [heap[parent]!, heap[child]!];
      child = parent;
    }
  }

  #take(): void {
    const heap = this.#waiting;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    heap[0] = last;
    for (let parent = 0; ; ) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      let least = parent;
      if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
      if (least === parent) return;
      [heap[parent], heap[least]] = [heap[least]!, heap[parent]!];
      parent = least;
    }
  }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
