import { randomUUID } from "node:crypto";
import { benchSnapshot } from "./bench-order.ts";
import { connectWriter } from "./connect-writer.ts";
import type { Target } from "./flavour.ts";

export interface KitchenOptions {
  target: Target;
  /** Number of checks that are sent to the kitchen, one ticket each. */
  tickets: number;
}

export type Kitchen = Awaited<ReturnType<typeof openKitchen>>;

const IN_FLIGHT = 16;

/** Connects a terminal that sends takeout checks to the kitchen and then prepares their dishes one by one. */
export async function openKitchen({ target, tickets }: KitchenOptions) {
  const terminal = await connectWriter({ target, deviceId: "bench-kitchen" });
  const posReference = (n: number): string => `KITCHEN/${n}`;
  const lineId = (n: number): string => benchSnapshot(n, 1, null).lines[0]?.id ?? "";
  await terminal.sendAll(tickets, IN_FLIGHT, (n) => {
    const snapshot = { ...benchSnapshot(n, 1, null), customerName: `señora Ñúñez ${n}` };
    terminal.send("ORDER_UPSERT", {
      mutationId: randomUUID(),
      posReference: posReference(n),
      baseVersion: 0,
      snapshot,
    });
  });
  await terminal.sendAll(tickets, IN_FLIGHT, (n) => {
    terminal.send("ORDER_SEND", { mutationId: randomUUID(), posReference: posReference(n) });
  });

  let bumps = 0;
  return {
    /** Changes `perSecond` tickets a second: begins a dish, takes it back, begins it again. Throws if a change is refused. */
    async work({ perSecond, seconds }: { perSecond: number; seconds: number }): Promise<void> {
      const startedAt = performance.now();
      for (let n = 0; n < perSecond * seconds; n += 1) {
        const due = startedAt + (n * 1000) / perSecond;
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
        terminal.send("KITCHEN_BUMP", {
          mutationId: randomUUID(),
          posReference: posReference(bumps % tickets),
          lineId: lineId(bumps % tickets),
          preparedQuantity: Math.floor(bumps / tickets) % 2 === 0 ? 0.5 : 0,
        });
        bumps += 1;
      }
      const refused = terminal.refused();
      if (refused !== null) throw new Error(refused);
    },
    close: () => terminal.close(),
  };
}
