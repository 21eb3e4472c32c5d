import { randomUUID } from "node:crypto";
import { benchSnapshot } from "./bench-order.ts";
import { connectWriter } from "./connect-writer.ts";
import { BENCH_PREFIX } from "./decode-frame.ts";
import type { Target } from "./flavour.ts";

const PER_BATCH = 50;
const IN_FLIGHT = 64;
/** A terminal may have at most `openOrdersPerTerminal` orders open: one batch is paid before the next is created. */
const BATCH_SIZE = 1_000;

export interface PrepareOptions {
  target: Target;
  run: string;
  orders: number;
  /** Payment method of each order. */
  methodId: number;
}

/** Creates takeout orders through the terminal protocol and pays each, which queues one event per order. */
export async function prepareOrders(options: PrepareOptions): Promise<void> {
  const { target, run, orders, methodId } = options;
  const terminal = await connectWriter({ target, deviceId: `prepare-${run}` });
  const snapshotOf = (n: number): ReturnType<typeof benchSnapshot> => benchSnapshot(n, 1, null);
  const posReference = (n: number): string => `${BENCH_PREFIX}${run}/${n}`;
  for (let first = 0; first < orders; first += BATCH_SIZE) {
    const numbers = Array.from({ length: Math.min(BATCH_SIZE, orders - first) }, (_, n) => first + n);
    await terminal.sendAll(Math.ceil(numbers.length / PER_BATCH), 4, (batch) => {
      terminal.send("ORDER_BATCH", {
        mutationId: randomUUID(),
        orders: numbers
          .slice(batch * PER_BATCH, (batch + 1) * PER_BATCH)
          .map((n) => ({ posReference: posReference(n), baseVersion: 0, snapshot: snapshotOf(n) })),
      });
    });
    await terminal.sendAll(numbers.length, IN_FLIGHT, (at) => {
      const n = first + at;
      terminal.send("ORDER_PAY", {
        mutationId: randomUUID(),
        posReference: posReference(n),
        baseVersion: 1,
        payments: [{ methodId, amount: snapshotOf(n).totals.total }],
      });
    });
  }
  await terminal.close();
}
