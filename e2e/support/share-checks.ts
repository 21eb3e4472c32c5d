import { lineOf, newOrder } from "./orders.ts";
import { eventually } from "./eventually.ts";
import type { useRestaurant } from "./use-restaurant.ts";
import type { OrderContent, OrderLine, Terminal } from "@comanda/terminal";

export type Checks = Record<"check" | "mine" | "theirs", string>;

/** Creates three checks on two devices, of which one is disconnected after `before` until `reconnect`. */
export async function shareChecks(
  { fresh, startTerminal, wireToHub }: Pick<ReturnType<typeof useRestaurant>, "fresh" | "startTerminal" | "wireToHub">,
  lines: OrderLine[],
  before: (offline: Terminal, checks: Checks) => void = () => {},
) {
  const wire = await wireToHub();
  const [offline, connected] = [await startTerminal({ url: wire.url }), await startTerminal()];
  const orders = [
    newOrder(fresh("POS/L"), lines),
    ...[1, 2].map(() => newOrder(fresh("POS/L"), [lineOf(fresh("tea"))])),
  ];
  for (const order of orders) connected.openOrder(order);
  await connected.idle();
  const [check = "", mine = "", theirs = ""] = orders.map(({ posReference }) => posReference);
  const checks: Checks = { check, mine, theirs };
  await eventually(() => connected.seq() - offline.seq()).toBe(0);
  before(offline, checks);
  await offline.idle();
  await eventually(() => connected.seq() - offline.seq()).toBe(0);
  wire.fromTerminal = () => "cut";
  wire.cut();
  await eventually(() => offline.connection().name).not.toBe("online");
  return {
    offline,
    connected,
    checks,
    wire,
    async reconnect(): Promise<void> {
      wire.fromTerminal = () => "pass";
      await offline.idle();
      await eventually(() => connected.seq() - offline.seq()).toBe(0);
    },
  };
}

/** Lists the shared dishes on the hub's checks, such as `check: 2 beer 200`. */
export function dishes(terminal: Terminal, checks: Checks): string[] {
  return Object.entries(checks).flatMap(([name, posReference]) => {
    const lines = terminal.order(posReference)?.snapshot.lines ?? [];
    return lines
      .filter(({ productId }) => productId !== "1")
      .map(({ quantity, productId, total, note = "" }) => `${name}: ${quantity} ${productId} ${total} ${note}`.trim());
  });
}

export const beers = (quantity: number): OrderLine =>
  lineOf("beer", 100 * quantity, { quantity, unitPrice: 100, productId: "beer" });
export const soup = lineOf("soup", 50, { productId: "soup" });
export const withNote = (content: OrderContent) => ({
  ...content,
  lines: (content.lines ?? []).map((line) => ({ ...line, note: "cold" })),
});

/** Insists on every refused change that can be insisted on. */
export async function insistOnAll(offline: Terminal, connected: Terminal): Promise<void> {
  for (const { id, insisted } of offline.conflicts()) if (insisted !== null) offline.retry(id);
  await offline.idle();
  await eventually(() => connected.seq() - offline.seq()).toBe(0);
}
