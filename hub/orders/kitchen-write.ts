import type { Snapshot, StoredLine } from "@comanda/protocol";
import {
  cancelWork as cancelWorkOf,
  canTakeBack,
  isWithKitchen,
  type CheckLines,
  type KitchenChanges,
  type KitchenRights,
  planKitchenWrite as planWrite,
} from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { kitchenError } from "./kitchen-refusal.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import { serviceState, type StateDeps } from "./service-state.ts";
import type { VersionKind } from "./version-store.ts";

/** What a write of content does to the kitchen's tickets; nothing is stored before `save`. */
export type KitchenWrite = ReturnType<typeof planKitchenWrite>;

/** Lets the tickets follow the lines of the checks that are written at once. */
export function planKitchenWrite(deps: StateDeps, tx: Tx, checks: readonly CheckLines[], rights: KitchenRights) {
  const context = { now: tx.now, newId: deps.world.random.uuid };
  const state = serviceState(deps, tx);
  // A ticket that cannot be read is made anew now, also where the write leaves it alone.
  for (const { posReference, stored } of checks) if (stored.some(isWithKitchen)) state.ticketsOf(posReference);
  const plan = planWrite(state, checks, rights, context);
  return {
    /** The lines of a check with their kitchen fields. Refuses what drops or lowers what the kitchen has. */
    lines(posReference: string, requested: readonly StoredLine[]): StoredLine[] {
      const refusal = plan.refusalOf(posReference);
      if (refusal !== null) throw kitchenError(refusal);
      return plan.lines(posReference, requested);
    },
    hasMoved: plan.hasMoved,
    /** Stores the tickets, once the checks are stored. */
    save(writer: VersionWriter, stored: readonly Snapshot[]): void {
      storeKitchenChanges(deps, tx, plan.changes(stored), { writer, kind: "bumped" });
    },
  };
}

type VersionWriter = Parameters<typeof saveVersion>[2];

/** What a writer at a terminal may do with what the kitchen has. */
export function rightsOf({ takeBackMs }: Pick<OrderDeps, "takeBackMs">, tx: Tx, writer: Writer): KitchenRights {
  const { terminalId, role } = writer;
  return {
    mayVoid: role !== "waiter",
    mayTakeBack: (part) => canTakeBack(part, { terminalId, now: tx.now, takeBackMs }),
  };
}

/** Stores the versions of checks whose lines show a change, then the tickets. Answers the versions by check, and the last place. */
export function storeKitchenChanges(
  { orders, tickets }: Pick<OrderDeps, "orders" | "tickets">,
  tx: Tx,
  changes: KitchenChanges,
  { writer, kind }: { writer: VersionWriter; kind: VersionKind },
): { written: Map<string, Written>; seq: number } | null {
  if (changes.tickets.length === 0) return null;
  const versions = new Map<string, Written>();
  for (const { previous, snapshot } of changes.checks) {
    const { posReference } = previous;
    const forward = orders.getWithForward(posReference)?.forward;
    const write = { posReference, snapshot, kind, previous, ...(forward !== undefined && { forward }) };
    versions.set(posReference, written(saveVersion({ orders }, tx, writer, write)));
  }
  const saved = changes.tickets.map((ticket) => tickets.save(tx, ticket));
  for (const each of saved) tx.emit(each);
  return { written: versions, seq: saved.at(-1)?.seq ?? 0 };
}

/** Turns what is not ready of a discarded check into cancelled lines. */
export function cancelWork(deps: StateDeps, tx: Tx, posReference: string, writer: VersionWriter): void {
  const changes = cancelWorkOf(serviceState(deps, tx), posReference, tx.now);
  storeKitchenChanges(deps, tx, changes, { writer, kind: "bumped" });
}
