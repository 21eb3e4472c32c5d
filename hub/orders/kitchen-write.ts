import { isDeepStrictEqual } from "node:util";
import type { KitchenTicket, Snapshot, StoredLine, TicketShare } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { findDishes, type CheckLines } from "../kitchen/find-dishes.ts";
import type { KitchenDraft } from "../kitchen/kitchen-draft.ts";
import { addressOf } from "../kitchen/make-tickets.ts";
import { placeShares, type KitchenRights } from "../kitchen/place-shares.ts";
import { settleCancelled, withKitchenFields, type Part } from "../kitchen/ticket-rules.ts";
import { openDraft, type DraftDeps } from "./open-draft.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import type { VersionKind } from "./version-store.ts";

/** What a write of content does to the kitchen's tickets; nothing is stored before `save`. */
export type KitchenWrite = ReturnType<typeof planKitchenWrite>;

/** Lets the tickets follow the lines of the checks that are written at once. */
export function planKitchenWrite(deps: DraftDeps, tx: Tx, checks: readonly CheckLines[], rights: KitchenRights) {
  const draft = openDraft(
    deps,
    tx,
    checks.map(({ posReference }) => posReference),
  );
  const before = sharesByCheck(draft.before());
  const dishes = findDishes(
    checks,
    (posReference, line) => draft.parts(posReference, line.id)[0]?.line.kitchenLineId ?? line.kitchenLineId,
    deps.world.random.uuid,
  );
  const refusals = placeShares(draft.tickets(), checks, dishes, rights);
  draft.sharesMoved();
  for (const { posReference, requested } of checks) {
    for (const line of requested) settleCancelled(draft.parts(posReference, line.id), line);
  }
  draft.settle(tx);
  const after = sharesByCheck(draft.tickets());
  const dishesOf = new Map(checks.map(({ posReference }, index) => [posReference, dishes[index]]));

  return {
    /** The lines of a check with their kitchen fields. Refuses what drops or lowers what the kitchen has. */
    lines(posReference: string, requested: readonly StoredLine[]): StoredLine[] {
      const refusal = refusals.get(posReference);
      if (refusal !== undefined) throw refusal;
      return requested.map((line) =>
        withKitchenFields(line, draft.parts(posReference, line.id), dishesOf.get(posReference)?.get(line.id)),
      );
    },
    /** Whether shares of a check were moved, cancelled or taken back. */
    hasMoved: (posReference: string): boolean => !isDeepStrictEqual(before.get(posReference), after.get(posReference)),
    /** Stores the tickets, once the checks are stored. */
    save(writer: VersionWriter, stored: readonly Snapshot[]): void {
      for (const snapshot of stored) readdress(draft, snapshot);
      const known = stored.map(({ posReference }) => posReference);
      saveTickets(deps, tx, draft, { writer, kind: "bumped", known });
    },
  };
}

type VersionWriter = Parameters<typeof saveVersion>[2];

/** What a writer at a terminal may do with what the kitchen has. */
export function rightsOf(deps: Pick<OrderDeps, "takeBackMs">, tx: Tx, writer: Writer): KitchenRights {
  return {
    mayVoid: writer.role !== "waiter",
    mayTakeBack: ({ ticket, line }) =>
      ticket.terminalId === writer.terminalId &&
      tx.now - Date.parse(ticket.sentAt) < deps.takeBackMs &&
      ticket.seen.length === 0 &&
      line.preparedQuantity === 0 &&
      line.kitchenItemStatus === undefined,
  };
}

function sharesByCheck(tickets: readonly KitchenTicket[]): Map<string, TicketShare[]> {
  const shares = tickets.flatMap((ticket) => ticket.lines.flatMap((line) => line.shares));
  return Map.groupBy(shares, ({ posReference }) => posReference);
}

/** Tickets that are still in the kitchen's lists go where their check goes, or the check that holds its lines now. */
function readdress(draft: KitchenDraft, snapshot: Snapshot): void {
  for (const ticket of draft.tickets()) {
    if (ticket.isOver) continue;
    const holders = ticket.lines.flatMap(({ shares }) => shares).filter(({ takenBack }) => takenBack !== true);
    const holder = holders.find(({ posReference }) => posReference === ticket.posReference) ?? holders[0];
    if (holder?.posReference === snapshot.posReference) Object.assign(ticket, addressOf(snapshot));
  }
}

/**
 * Stores the changed tickets, and first a version of each check whose lines show it: those of `known` are stored already,
 * those of `always` get a version whatever their lines show. Answers the versions by check, and the last place in the shared
 * state; null when nothing has changed.
 */
export function saveTickets(
  deps: Pick<OrderDeps, "orders" | "tickets">,
  tx: Tx,
  draft: KitchenDraft,
  options: {
    writer: VersionWriter;
    kind: VersionKind;
    known?: readonly string[];
    always?: readonly string[];
    change?: (snapshot: Snapshot) => Snapshot;
  },
): { written: Map<string, Written>; seq: number } | null {
  const { writer, kind, known = [], always = [], change = (snapshot) => snapshot } = options;
  const tickets = draft.settle(tx);
  if (tickets.length === 0) return null;
  const holders = tickets.flatMap((ticket) => ticket.lines.flatMap((line) => line.shares));
  const versions = new Map<string, Written>();
  for (const posReference of new Set([...always, ...holders.map((share) => share.posReference)])) {
    const order = known.includes(posReference) ? null : deps.orders.getWithForward(posReference);
    if (order === null) continue;
    draft.include(posReference);
    const { forward, ...previous } = order;
    const lines = previous.snapshot.lines.map((line) => ofParts(line, draft.parts(posReference, line.id)));
    if (!always.includes(posReference) && isDeepStrictEqual(lines, previous.snapshot.lines)) continue;
    const snapshot = change({ ...previous.snapshot, lines });
    const write = { posReference, snapshot, kind, previous, ...(forward !== undefined && { forward }) };
    versions.set(posReference, written(saveVersion(deps, tx, writer, write)));
  }
  const saved = tickets.map((ticket) => deps.tickets.save(tx, ticket));
  for (const each of saved) tx.emit(each);
  return { written: versions, seq: saved.at(-1)?.seq ?? 0 };
}

/** A line whose ticket is no longer kept stays as it is. */
function ofParts(line: StoredLine, parts: readonly Part[]): StoredLine {
  return parts.length === 0 ? line : withKitchenFields(line, parts);
}

/** Turns what is not ready of a discarded check into cancelled lines. */
export function cancelWork(deps: DraftDeps, tx: Tx, posReference: string, writer: VersionWriter): void {
  const draft = openDraft(deps, tx, [posReference]);
  for (const parts of draft.linesOf(posReference)) settleCancelled(parts, null);
  saveTickets(deps, tx, draft, { writer, kind: "bumped", known: [posReference] });
}
