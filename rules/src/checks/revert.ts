import type { Snapshot, StoredLine, StoredOrder, TicketShare } from "@comanda/protocol";
import type { RuleContext } from "../context.ts";
import { hasOtherProduct } from "../kitchen/find-dishes.ts";
import { planKitchenWrite } from "../kitchen/kitchen-write.ts";
import { isWithKitchen, statusOf, voidedQuantityOf } from "../kitchen/line-quantities.ts";
import { heldOf } from "../kitchen/shares.ts";
import { addUp } from "../money/pricing/limit-discounts.ts";
import { changesOf, type Outcome } from "../outcome.ts";
import { refusalOfTotal } from "../payments/money-on-check.ts";
import { isSame } from "../same.ts";
import type { ServiceState } from "../state.ts";
import { isoTime } from "../time.ts";
import { nextCheckNumber } from "./tables-of.ts";

/**
 * Restores the content of an earlier version of a check. Lines that the kitchen has stay on it with their current progress. Its
 * numbers, payments and plugin data stay too.
 */
export function revert(
  state: ServiceState,
  stored: StoredOrder,
  earlier: Snapshot,
  context: Pick<RuleContext, "now" | "newId"> & {
    /** Lines of this check that are on other checks now although no ticket says so. */
    elsewhere: ReadonlySet<string>;
  },
): Outcome {
  const { posReference, snapshot: now } = stored;
  const elsewhere = new Set([...heldElsewhere(state, posReference), ...context.elsewhere]);
  const requested = revertedLines(now.lines, earlier.lines, elsewhere);
  const checks = [{ posReference, stored: now.lines, requested }];
  const kitchen = planKitchenWrite(state, checks, { mayVoid: true, mayTakeBack: () => false }, context);
  const refusal = kitchen.refusalOf(posReference);
  if (refusal !== null) return { refusal };
  const snapshot = revertedSnapshot(now, earlier, kitchen.lines(posReference, requested), isoTime(context.now));
  const belowPaid = refusalOfTotal(now, snapshot.totals.total);
  if (belowPaid !== null) return { refusal: belowPaid };
  if (snapshot.tableId !== now.tableId) snapshot.checkNumber = nextCheckNumber(state, snapshot);
  const { checks: others, tickets } = kitchen.changes([snapshot]);
  return changesOf({ checks: [{ previous: stored, snapshot, kind: "reverted" }, ...others], tickets });
}

/** Fields of the hub or of integrations, which a revert does not change. */
const preservedFields = [
  "posReference",
  "createdAt",
  "seatedAt",
  "partyId",
  "checkNumber",
  "ticketNumber",
  "tenders",
  "pluginData",
] as const;

function revertedSnapshot(now: Snapshot, earlier: Snapshot, lines: StoredLine[], updatedAt: string): Snapshot {
  const asEarlier = isSame(lines.map(amounts), earlier.lines.map(amounts));
  const next: Snapshot = {
    ...earlier,
    lines,
    ...(!asEarlier && addUp(lines, earlier.adjustments)),
    updatedAt,
  };
  for (const field of preservedFields) {
    delete next[field];
    if (now[field] !== undefined) Object.assign(next, { [field]: now[field] });
  }
  return { ...next, status: statusOf(next.lines) };
}

/** Returns the lines whose dishes are now held, and paid, by another check. */
function heldElsewhere({ ticketsOf }: Pick<ServiceState, "ticketsOf">, posReference: string): ReadonlySet<string> {
  const isElsewhere = (share: TicketShare): boolean =>
    share.posReference !== posReference && share.takenBack !== true && heldOf(share) > 0;
  const sent = ticketsOf(posReference).flatMap(({ ticket }) =>
    ticket.posReference === posReference ? ticket.lines : [],
  );
  return new Set(sent.filter(({ shares }) => shares.some(isElsewhere)).map(({ lineId }) => lineId));
}

/**
 * Returns the earlier lines with the kitchen's current progress. A line stays as it is if reverting would drop or lower what
 * the kitchen has. Lines that have since moved to another check stay there.
 */
function revertedLines(
  now: readonly StoredLine[],
  earlier: readonly StoredLine[],
  elsewhere: ReadonlySet<string>,
): StoredLine[] {
  const current = new Map(now.map((line) => [line.id, line]));
  const staying = earlier.filter((line) => current.has(line.id) || !(isWithKitchen(line) || elsewhere.has(line.id)));
  const returned = staying.map((line) => {
    const currentLine = current.get(line.id);
    if (currentLine === undefined) return line;
    const isShared = elsewhere.has(line.id) || (currentLine.sentQuantity ?? 0) < (line.sentQuantity ?? 0);
    const isOtherDish = isWithKitchen(currentLine) && hasOtherProduct(line, currentLine);
    return isShared || isOtherDish || isTakenBack(currentLine, line) ? currentLine : line;
  });
  const ids = new Set(earlier.map((line) => line.id));
  return [...returned, ...now.filter((line) => !ids.has(line.id) && isWithKitchen(line))];
}

function isTakenBack(current: StoredLine, line: StoredLine): boolean {
  return (
    isWithKitchen(current) &&
    (voidedQuantityOf(current) > voidedQuantityOf(line) || line.quantity < (current.sentQuantity ?? 0))
  );
}

function amounts({ id, quantity, total, taxAmount, voided }: StoredLine) {
  return { id, quantity, total, taxAmount, voided };
}
