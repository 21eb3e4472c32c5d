import { randomUUID } from "node:crypto";
import { benchSnapshot } from "./bench-order.ts";
import { connectTerminal } from "./connect-terminal.ts";
import { BENCH_PREFIX, type Frame } from "./decode-frame.ts";
import type { Target } from "./flavour.ts";
import { createFrameCache } from "./frame-cache.ts";

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
  let answered: (message: Record<string, unknown> | null) => void = () => undefined;
  const terminal = await connectTerminal({
    target,
    deviceId: `prepare-${run}`,
    decode: createFrameCache(target.flavour),
    onFrame(frame: Frame) {
      for (const message of frame.others) {
        const type = message["type"];
        if (type === "ORDER_ACK") answered(null);
        if (type === "ORDER_REJECTED" || type === "ERROR") answered(message);
      }
      for (let n = 0; n < frame.acknowledgements.length; n += 1) answered(null);
    },
  });
  const sendAll = async (count: number, inFlight: number, sendOne: (n: number) => void): Promise<void> => {
    const done = Promise.withResolvers<void>();
    let sent = 0;
    let answers = 0;
    answered = (refusal) => {
      if (refusal !== null) return done.reject(new Error(`preparing: ${JSON.stringify(refusal).slice(0, 400)}`));
      answers += 1;
      if (answers === count) done.resolve();
      else if (sent < count) sendOne(sent++);
    };
    while (sent < Math.min(count, inFlight)) sendOne(sent++);
    await done.promise;
  };
  const snapshotOf = (n: number): ReturnType<typeof benchSnapshot> => benchSnapshot(n, 1, null);
  const posReference = (n: number): string => `${BENCH_PREFIX}${run}/${n}`;
  await sendAll(Math.ceil(orders / PER_BATCH), 4, (batch) => {
    const numbers = Array.from({ length: PER_BATCH }, (_, n) => batch * PER_BATCH + n).filter((n) => n < orders);
    terminal.send("ORDER_BATCH", {
      mutationId: randomUUID(),
      orders: numbers.map((n) => ({ posReference: posReference(n), baseVersion: 0, snapshot: snapshotOf(n) })),
    });
  });
  await sendAll(orders, IN_FLIGHT, (n) => {
    terminal.send("ORDER_PAY", {
      mutationId: randomUUID(),
      posReference: posReference(n),
      baseVersion: 1,
      payments: [{ methodId, amount: snapshotOf(n).totals.total }],
    });
  });
  await terminal.close();
}
