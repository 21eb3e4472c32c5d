import { isActive, type Snapshot } from "@comanda/protocol";
import { dueCents } from "@comanda/rules";
import type { Conflict } from "../queue/present-conflict.ts";
import { isMoney } from "../entries/outbox-entry.ts";
import { linesOf } from "../../orders/order-content.ts";

interface Check {
  posReference: string;
  snapshot: Snapshot;
}

/**
 * The check that a refused payment can be put on: its own while something is due there, else, of `checks`, the one to which
 * most of the dishes have gone. Null for what is no payment, and where nothing of them is to be paid.
 */
export function checkToPay({ intent, orders: [own] }: Conflict, checks: Iterable<Check>): Check | null {
  if (!isMoney(intent)) return null;
  const stored = own?.hub ?? null;
  if (stored !== null && isDue(stored)) return stored;
  const dishes = new Set(linesOf(intent.seen).map(({ id, productId }) => dish(id, productId)));
  let most = 0;
  let found: Check | null = null;
  for (const check of checks) {
    const count = check.snapshot.lines.filter(({ id, splitOf, productId }) =>
      [id, splitOf].some((each) => dishes.has(dish(each, productId))),
    ).length;
    if (count <= most || !isDue(check)) continue;
    most = count;
    found = check;
  }
  return found;
}

/** Other systems' lines may have the same id as another dish. */
function dish(lineId: string | undefined, productId: unknown): string {
  return `${lineId} ${String(productId)}`;
}

function isDue({ snapshot }: Check): boolean {
  return isActive(snapshot.status) && dueCents(snapshot) > 0;
}
