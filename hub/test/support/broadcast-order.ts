import type { HubMessageOf, StoredOrder } from "@comanda/protocol";
import type { TestTerminal } from "./connect-terminal.ts";
import { until } from "./until.ts";

/** Waits until a terminal receives this version of an order, and returns the order. */
export async function broadcastOrder(
  terminal: TestTerminal,
  posReference: string,
  version: number,
): Promise<StoredOrder> {
  const change = await until("the change", () =>
    terminal.received.find(
      (message): message is HubMessageOf<"ORDER_CHANGED"> =>
        message.type === "ORDER_CHANGED" && message.posReference === posReference && message.version === version,
    ),
  );
  return change.order;
}
