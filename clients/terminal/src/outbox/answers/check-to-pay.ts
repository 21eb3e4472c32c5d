import type { StoredOrder } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import type { Conflict } from "../queue/present-conflict.ts";
import { isMoney } from "../entries/outbox-entry.ts";
import { linesOf } from "../../orders/order-content.ts";
import { payableCents } from "./settle-payment.ts";

type Check = Pick<StoredOrder, "posReference" | "version" | "snapshot">;

type ChargedLine = Parameters<typeof chargedQuantity>[0] & { id: string; productId?: unknown };

/**
 * The check that a refused payment can be put on: its own while something is due there, else, or where none of the dishes is
 * there any more, the one of `checks` to which most of them have gone. Null for what is no payment, and where nothing of them
 * is to be paid. `checks` as the hub will have them (`expectedOrder`).
 */
export function checkToPay(conflict: Conflict, checks: Iterable<Check>): Check | null {
  const { intent, orders } = conflict;
  if (!isMoney(intent)) return null;
  const known = [...checks];
  const own = known.find(({ posReference }) => posReference === intent.posReference) ?? orders[0]?.hub ?? null;
  const ownDue = own !== null && own.version > 0 && isDue(own) ? own : null;
  const left = dishesOf(own?.snapshot.lines ?? []);
  if (ownDue !== null && [...dishesOf(linesOf(intent.seen)).keys()].some((name) => left.has(name))) return ownDue;
  return checkWithDishes(conflict, known) ?? ownDue;
}

/** The one of `checks` to which most dishes of a refused payment have gone, where something is due there; else null. */
export function checkWithDishes({ intent, orders: [own] }: Conflict, checks: Iterable<Check>): Check | null {
  if (!isMoney(intent)) return null;
  const { posReference, seen } = intent;
  const left = dishesOf(own?.hub?.snapshot.lines ?? []);
  const paidFor = [...dishesOf(linesOf(seen))];
  const gone = new Set(paidFor.filter(([name, quantity]) => (left.get(name) ?? 0) < quantity).map(([name]) => name));
  const others = [...checks].filter((check) => check.version > 0 && check.posReference !== posReference);
  const whole = new Set(others.flatMap(({ snapshot }) => [...dishesOf(snapshot.lines).keys()]));
  let most = 0;
  let found: Check | null = null;
  for (const check of others) {
    const count = check.snapshot.lines.filter((line) => {
      const { splitOf, splitFrom = posReference } = line;
      if (chargedQuantity(line) === 0) return false;
      if (gone.has(dish(line))) return true;
      if (splitOf === undefined || splitFrom !== posReference) return false;
      const origin = dish({ ...line, id: splitOf });
      // Where the dish itself is found, this part had left it before.
      return gone.has(origin) && !whole.has(origin);
    }).length;
    if (count <= most || !isDue(check)) continue;
    most = count;
    found = check;
  }
  return found;
}

/** How many of each dish are charged. */
function dishesOf(lines: readonly ChargedLine[]): ReadonlyMap<string, number> {
  return new Map(
    lines.map((line) => [dish(line), chargedQuantity(line)] as const).filter(([, charged]) => charged > 0),
  );
}

/** Other systems' lines may have the same id as another dish. */
function dish({ id, productId }: Pick<ChargedLine, "id" | "productId">): string {
  return `${id} ${String(productId)}`;
}

function isDue({ snapshot }: Check): boolean {
  return payableCents(snapshot) > 0;
}
