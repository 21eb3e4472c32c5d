import type { OrderTable } from "./order-table.ts";

/** Creates a group commit: everything that arrives in one turn of the event loop shares one transaction and one fsync. */
export function createGroupCommit<T>(options: {
  table: OrderTable;
  /** Writes one item inside the transaction. */
  write: (item: T) => void;
  /** Sends answers and broadcasts, after the commit. */
  announce: (group: readonly T[]) => void;
}): (item: T) => void {
  let group: T[] = [];
  const flush = (): void => {
    const items = group;
    group = [];
    options.table.commit(() => {
      for (const item of items) options.write(item);
    });
    options.announce(items);
  };
  return (item) => {
    group.push(item);
    if (group.length === 1) setImmediate(flush);
  };
}
