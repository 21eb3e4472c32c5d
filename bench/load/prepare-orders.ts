import { randomUUID } from "node:crypto";
import { benchSnapshot } from "./bench-order.ts";
import { connectWriter } from "./connect-writer.ts";
import { BENCH_PREFIX } from "./decode-frame.ts";
import type { Target } from "./flavour.ts";

const PER_BATCH = 50;
const IN_FLIGHT = 64;

export interface PrepareOptions {
  target: Target;
  run: string;
  orders: number;
  /** Payment method by which each is paid. */
  methodId: number;
}

/** Creates takeout orders through the terminal protocol and pays each: one queued event per order. */
export async function prepareOrders(options: PrepareOptions): Promise<void> {
  const { target, run, orders, methodId } = options;
  const terminal = await connectWriter({ target, deviceId: `prepare-${run}` });
  const snapshotOf = (n: number): ReturnType<typeof benchSnapshot> => benchSnapshot(n, 1, null);
  const posReference = (n: number): string => `${BENCH_PREFIX}${run}/${n}`;
  await terminal.sendAll(Math.ceil(orders / PER_BATCH), 4, (batch) => {
    const numbers = Array.from({ length: PER_BATCH }, (_, n) => batch * PER_BATCH + n).filter((n) => n < orders);
    terminal.send("ORDER_BATCH", {
      mutationId: randomUUID(),
      orders: numbers.map((n) => ({ posReference: posReference(n), baseVersion: 0, snapshot: snapshotOf(n) })),
    });
  });
  await terminal.sendAll(orders, IN_FLIGHT, (n) => {
    terminal.send("ORDER_PAY", {
      mutationId: randomUUID(),
      posReference: posReference(n),
      baseVersion: 1,
      payments: [{ methodId, amount: snapshotOf(n).totals.total }],
    });
  });
  await terminal.close();
}
