import type { StoredOrder } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import type { Conflict } from "../queue/present-conflict.ts";
import { isMoney } from "../entries/outbox-entry.ts";
import { linesOf } from "../../orders/order-content.ts";
import { payableCents } from "./settle-payment.ts";

type Check = Pick<StoredOrder, "posReference" | "version" | "snapshot">;

type ChargedLine = Parameters<typeof chargedQuantity>[0] & { id: string; productId?: unknown };

/**
 * Returns the check to apply a refused payment to. That is its own if something is due there, or the one of `checks` to which
 * most of its dishes went if none is left on its own. Returns null if it is not a payment, or if nothing is due. `checks` are
 * in their expected state (`expectedOrder`).
 */
export function checkToPay(conflict: Conflict, checks: Iterable<Check>): Check | null {
  const { intent, orders } = conflict;
  if (!isMoney(intent)) return null;
  const allChecks = [...checks];
  const own = allChecks.find(({ posReference }) => posReference === intent.posReference) ?? orders[0]?.hub ?? null;
  const ownDue = own !== null && own.version > 0 && isDue(own) ? own : null;
  const remaining = dishesOf(own?.snapshot.lines ?? []);
  if (ownDue !== null && [...dishesOf(linesOf(intent.seen)).keys()].some((name) => remaining.has(name))) return ownDue;
  return checkWithDishes(conflict, allChecks) ?? ownDue;
}

/** Returns the check to which most dishes of a refused payment went, if something is due there, otherwise null. */
export function checkWithDishes({ intent, orders: [own] }: Conflict, checks: Iterable<Check>): Check | null {
  if (!isMoney(intent)) return null;
  const { posReference, seen } = intent;
  const remaining = dishesOf(own?.hub?.snapshot.lines ?? []);
  const paidFor = [...dishesOf(linesOf(seen))];
  const missing = new Set(
    paidFor.filter(([name, quantity]) => (remaining.get(name) ?? 0) < quantity).map(([name]) => name),
  );
  const others = [...checks].filter((check) => check.version > 0 && check.posReference !== posReference);
  const whole = new Set(others.flatMap(({ snapshot }) => [...dishesOf(snapshot.lines).keys()]));
  let largest = 0;
  let found: Check | null = null;
  for (const check of others) {
    const count = check.snapshot.lines.filter((line) => {
      const { splitOf, splitFrom = posReference } = line;
      if (chargedQuantity(line) === 0) return false;
      if (missing.has(dish(line))) return true;
      if (splitOf === undefined || splitFrom !== posReference) return false;
      const origin = dish({ ...line, id: splitOf });
      // If another check has the dish itself, this part was split off before.
      return missing.has(origin) && !whole.has(origin);
    }).length;
    if (count <= largest || !isDue(check)) continue;
    largest = count;
    found = check;
  }
  return found;
}

/** Charged quantity of each dish. */
function dishesOf(lines: readonly ChargedLine[]): ReadonlyMap<string, number> {
  return new Map(
    lines.map((line) => [dish(line), chargedQuantity(line)] as const).filter(([, charged]) => charged > 0),
  );
}

/** Returns a key for a dish. Lines of other systems may share their id with another dish. */
function dish({ id, productId }: Pick<ChargedLine, "id" | "productId">): string {
  return `${id} ${String(productId)}`;
}

function isDue({ snapshot }: Check): boolean {
  return payableCents(snapshot) > 0;
}
