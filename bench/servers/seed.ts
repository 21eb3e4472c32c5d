import { benchSnapshot } from "../load/bench-order.ts";
import { openOrderTable, storedOrder } from "./order-table.ts";

/** Fills a file for raw-drain.ts with `events` queued events. */
export function seedRawEvents(path: string, events: number): void {
  const table = openOrderTable(path);
  table.db.exec(
    "CREATE TABLE event (id INTEGER PRIMARY KEY, pos_reference TEXT NOT NULL, json TEXT NOT NULL, forwarded INTEGER NOT NULL DEFAULT 0) STRICT",
  );
  const insert = table.db.prepare<[string, string]>("INSERT INTO event (pos_reference, json) VALUES (?, ?)");
  table.commit(() => {
    for (let n = 0; n < events; n += 1) {
      const posReference = `BENCH/raw/${n}`;
      const { totals, ...rest } = benchSnapshot(n, 1, null);
      const snapshot = { ...rest, totals, status: "paid", payments: [{ methodId: 1, amount: totals.total }] };
      insert.run(posReference, storedOrder({ posReference, version: 2, writer: "raw", snapshot }));
    }
  });
  table.db.close();
}

/** Fills a file for limit.ts with `orders` stored orders. */
export function seedOrders(path: string, orders: number): void {
  const table = openOrderTable(path);
  table.commit(() => {
    for (let n = 0; n < orders; n += 1) {
      const posReference = `BENCH/stored/${n}`;
      const snapshot = { ...benchSnapshot(n, 1, null) };
      table.put({
        posReference,
        version: 1,
        seq: n + 1,
        json: storedOrder({ posReference, version: 1, writer: "raw", snapshot }),
      });
    }
  });
  table.db.close();
}
