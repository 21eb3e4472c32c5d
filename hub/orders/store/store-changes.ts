import { type BelowMenu, type CheckChange, type ServiceChanges, tablesOf } from "@comanda/rules";
import type { ChangeOf, Tx } from "../../changes/change.ts";
import type { OrderDeps } from "../order-deps.ts";
import { removeOrder } from "./remove-order.ts";
import { saveVersion, type VersionWriter } from "./save-version.ts";
import { followMove, followOrder } from "./table-state.ts";

type StoreDeps = Pick<OrderDeps, "orders" | "tickets" | "itemStates" | "tables" | "leases">;

/** The versions that checks got, and the place of the last change; 0 without one. */
export interface Stored {
  checks: Map<string, ChangeOf<"order.stored"> | ChangeOf<"order.removed">>;
  seq: number;
}

/**
 * Stores and announces what the rules made of a change. `admit` is asked before each check is stored, the earlier ones being
 * there: it answers how much JSON its content may be, or throws.
 */
export function storeChanges(
  deps: StoreDeps,
  tx: Tx,
  writer: VersionWriter,
  changes: Partial<ServiceChanges>,
  admit: (change: CheckChange) => number = () => Infinity,
): Stored {
  const checks: Stored["checks"] = new Map();
  if (changes.itemStates !== undefined) deps.itemStates.count(tx, changes.itemStates);
  for (const change of changes.checks ?? []) {
    checks.set(change.snapshot.posReference, storeCheck(deps, tx, writer, change, admit(change)));
  }
  for (const { check, ...why } of changes.removals ?? []) {
    checks.set(check.posReference, removeOrder(deps, tx, check, { origin: writer.terminalId, ...why }));
  }
  const tickets = (changes.tickets ?? []).map((ticket) => deps.tickets.save(tx, ticket));
  for (const each of tickets) tx.emit(each);
  for (const each of changes.belowMenu ?? []) tellOfPrices(tx, writer, each);
  return { checks, seq: tickets.at(-1)?.seq ?? [...checks.values()].at(-1)?.seq ?? 0 };
}

/** The version that a check got. */
export function storedCheck({ checks }: Stored, posReference: string): ChangeOf<"order.stored"> {
  const change = checks.get(posReference);
  if (change?.kind !== "order.stored") throw new Error(`order ${posReference} was not stored`);
  return change;
}

function storeCheck(
  deps: StoreDeps,
  tx: Tx,
  writer: VersionWriter,
  { previous, snapshot, kind }: CheckChange,
  mostBytes: number,
): ChangeOf<"order.stored"> {
  const { posReference } = snapshot;
  // What the kitchen does to a paid check leaves it where it stands on its way to the back-office.
  const standing = previous === null ? undefined : deps.orders.getWithForward(posReference)?.forward;
  const forward = kind === "paid" ? ({ state: "pending" } as const) : standing;
  const write = { posReference, snapshot, kind, previous, mostBytes, ...(forward !== undefined && { forward }) };
  const change = saveVersion(deps, tx, writer, write);
  const former = previous === null ? [] : tablesOf(previous.snapshot);
  if (kind === "paid") {
    followOrder(deps, tx, former, posReference, writer.terminalId);
    deps.leases.end(tx, posReference, writer.terminalId);
  } else followMove(deps, tx, former, tablesOf(snapshot), posReference, writer.terminalId);
  return change;
}

function tellOfPrices(
  tx: Tx,
  { userName, terminalId }: VersionWriter,
  { posReference, tableId, names }: BelowMenu,
): void {
  tx.notify(["orders"], {
    kind: "price_below_menu",
    level: "warn",
    ...(tableId !== null && { tableId }),
    detail: {
      posReference,
      ...(userName !== null && { userName }),
      terminalId,
      text: names.join(", ").slice(0, 200),
    },
  });
}
