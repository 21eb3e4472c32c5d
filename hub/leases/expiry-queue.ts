interface Entry {
  name: string;
  at: number;
}

/** Which of many named things comes first in time: a binary heap, so that a change costs the logarithm of their number. */
export function createExpiryQueue() {
  const heap: Entry[] = [];
  /** By name the entry that counts; what was put earlier since has left another one behind in the heap. */
  const entries = new Map<string, Entry>();

  function swap(a: number, b: number): void {
    [heap[a], heap[b]] = [heap[b] as Entry, heap[a] as Entry];
  }

  function isBefore(a: number, b: number): boolean {
    return (heap[a]?.at ?? Infinity) < (heap[b]?.at ?? Infinity);
  }

  function add(entry: Entry): void {
    heap.push(entry);
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!isBefore(child, parent)) return;
      swap(child, parent);
      child = parent;
    }
  }

  function removeFirst(): Entry | undefined {
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    heap[0] = last;
    for (let parent = 0; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      const child = isBefore(right, left) ? right : left;
      if (!isBefore(child, parent)) return first;
      swap(child, parent);
      parent = child;
    }
  }

  return {
    /** Sees to it that a name comes out at `at` or earlier. */
    put(name: string, at: number): void {
      if ((entries.get(name)?.at ?? Infinity) <= at) return;
      const entry = { name, at };
      entries.set(name, entry);
      add(entry);
    },
    /** When the first name comes out, infinity when none does; it may be one that was put earlier since. */
    firstAt: (): number => heap[0]?.at ?? Infinity,
    /** Takes out every name whose time is `now` or earlier. */
    takeUntil(now: number): string[] {
      const due: string[] = [];
      while ((heap[0]?.at ?? Infinity) <= now) {
        const entry = removeFirst();
        if (entry === undefined || entries.get(entry.name) !== entry) continue;
        entries.delete(entry.name);
        due.push(entry.name);
      }
      return due;
    },
  };
}
