import { foldText, type ForwardState, isActive, type Snapshot, StoredOrder, hubLimits } from "@comanda/protocol";
import { tablesOf } from "@comanda/rules";
import type { ChangeOf, OrderEvent, Tx } from "../../changes/change.ts";
import { appendJsonField } from "../../platform/append-json-field.ts";
import { describeIssues } from "../../platform/describe-issues.ts";
import { HubError } from "../../platform/errors.ts";
import { isoTime, sqlTime } from "../../platform/world.ts";
import type { OrderRows } from "./order-rows.ts";
import { isSoundBody, readBody, type OnDamage } from "./stored-body.ts";
import type { VersionKind, VersionStore } from "./version-store.ts";
import type { WorkingSet } from "./working-set.ts";

/** A new version of an order, before it is stored. */
export interface OrderWrite {
  posReference: string;
  snapshot: Snapshot;
  kind: VersionKind;
  origin: string;
  userName: string | null;
  /** The stored order that this version follows; null for a new one. */
  previous: StoredOrder | null;
  /** Size limit of the snapshot's JSON, in bytes. A snapshot that does not grow may be larger. */
  maxBytes?: number;
}

/** Stores changes of orders: new versions, forward states and removals. The caller emits each change. */
export function createOrderChanges({
  rows,
  versions,
  workingSet,
  onDamage,
}: {
  rows: OrderRows;
  versions: VersionStore;
  workingSet: WorkingSet;
  onDamage: OnDamage;
}) {
  return {
    /** Stores a new version and returns the change; the caller emits it. Throws if the order could not be read back. */
    save(tx: Tx, write: OrderWrite): ChangeOf<"order.stored"> {
      const { posReference, snapshot, kind, origin, userName, previous } = write;
      const head = {
        posReference,
        version: versions.numberAfter(posReference, previous),
        tableId: snapshot.tableId,
        terminalId: origin,
        createdAt: previous?.createdAt ?? sqlTime(tx.now),
        updatedAt: sqlTime(tx.now),
      };
      requireReadable({ ...head, snapshot }, previous);
      const { version } = head;
      const snapshotJson = JSON.stringify(snapshot);
      requireFits(snapshotJson, write, rows.activeBytesByOrigin);
      const body = appendJsonField(JSON.stringify(head), "snapshot", snapshotJson);
      const standing = previous === null ? undefined : workingSet.get(posReference)?.forward;
      const forwardState = forwardAfter(kind, tx.now, standing);
      const forward = JSON.stringify(forwardState);
      const bodyId = versions.insert({
        posReference,
        version,
        origin,
        userName,
        kind,
        at: tx.now,
        writeSeq: tx.firstSeq,
        body,
      });
      const seq = tx.nextSeq();
      rows.save({
        posReference,
        version,
        bodyId,
        seq,
        status: snapshot.status,
        isActive: isActive(snapshot.status) ? 1 : 0,
        tableId: snapshot.tableId,
        checkNumber: snapshot.checkNumber ?? null,
        orderType: snapshot.orderType,
        searchText: searchTextOf(snapshot),
        updatedAt: tx.now,
        forward,
      });
      if ([snapshot, previous?.snapshot].some(isJoined)) {
        rows.saveJoinedTables(posReference, isActive(snapshot.status) ? tablesOf(snapshot).slice(1) : []);
      }
      if (kind === "paid" && previous != null && !isActive(previous.snapshot.status)) rows.forgetTakings(posReference);
      if (kind === "paid") rows.saveTaking(posReference, tx.now, snapshot.totals.total, snapshot.payments ?? []);
      const order: StoredOrder = { ...head, snapshot };
      workingSet.stored(tx, order, forwardState);
      const wire = appendJsonField(body, "forward", forward);
      return { kind: "order.stored", seq, event: eventOf(kind), versionKind: kind, origin, order, wire };
    },

    /** Changes only the forward state, without a new version; null if the order is missing or damaged. */
    saveForward(tx: Tx, posReference: string, state: ForwardState): ChangeOf<"order.stored"> | null {
      const row = rows.get(posReference);
      if (row === null || !isSoundBody(row, onDamage)) return null;
      const forward = JSON.stringify(state);
      const seq = tx.nextSeq();
      rows.saveForward(posReference, forward, seq);
      const order = readBody(row, onDamage);
      workingSet.stored(tx, order, state);
      const wire = appendJsonField(row.body, "forward", forward);
      const origin = order.terminalId;
      return { kind: "order.stored", seq, event: "forwarded", versionKind: null, origin, order, wire };
    },

    /** Removes an order permanently; `mergedInto` are the checks that its lines moved to. */
    remove(
      tx: Tx,
      order: StoredOrder,
      origin: string,
      { reason, mergedInto }: { reason: string | null; mergedInto?: readonly string[] },
    ): ChangeOf<"order.removed"> {
      const { posReference } = order;
      const version = versions.numberAfter(posReference, order);
      const seq = tx.nextSeq();
      rows.remove(posReference, seq, { version, origin, reason, mergedInto: mergedInto ?? null, removedAt: tx.now });
      workingSet.removed(tx, posReference);
      const merge = mergedInto === undefined ? {} : { mergedInto: [...mergedInto] };
      return { kind: "order.removed", seq, origin, posReference, version, last: order, ...merge };
    },
  };
}

/** Schema of a stored order without its lines, which were already validated when they arrived. */
const StoredHead = StoredOrder.extend({ snapshot: StoredOrder.shape.snapshot.omit({ lines: true }) });

/**
 * Throws for an order that its schema cannot read back: it would be missing from every list and could not be paid. Accepts an
 * order that was already unreadable, so that it can still be forwarded to the back-office.
 */
function requireReadable(order: StoredOrder, previous: StoredOrder | null): void {
  const { error } = StoredHead.safeParse(order);
  if (error === undefined || (previous !== null && !StoredHead.safeParse(previous).success)) return;
  throw new HubError("VALIDATION_ERROR", `order ${order.posReference} cannot be stored: ${describeIssues(error)}`);
}

/**
 * Throws if the content has grown beyond the limit of an order, or of all open orders of its writer: orders are sent whole to
 * every terminal. `bytesOpenOf` sums up a writer's open orders; it is not called for small orders.
 */
function requireFits(
  snapshotJson: string,
  { previous, origin, maxBytes = Infinity }: OrderWrite,
  bytesOpenOf: (origin: string) => number,
): void {
  const { smallOrderBytes, openOrderBytesPerTerminal: maxOpenBytes } = hubLimits;
  const size = Buffer.byteLength(snapshotJson);
  if (maxBytes === Infinity || size <= smallOrderBytes) return;
  const before = previous === null ? 0 : Buffer.byteLength(JSON.stringify(previous.snapshot));
  // Fields that the hub has added must not prevent edits of an order.
  if (size <= before) return;
  const kib = (bytes: number): number => Math.ceil(bytes / 1024);
  if (size > maxBytes) {
    throw new HubError("PAYLOAD_TOO_LARGE", `snapshot: an order holds at most ${kib(maxBytes)} KiB, not ${kib(size)}`);
  }
  if (bytesOpenOf(origin) + size - (previous?.terminalId === origin ? before : 0) <= maxOpenBytes) return;
  const message = `the open orders of a terminal may hold at most ${kib(maxOpenBytes)} KiB in total`;
  throw new HubError("LIMIT_REACHED", `snapshot: ${message}: pay or discard some first`);
}

/** Returns the forward state of an order after a version of this kind. */
function forwardAfter(kind: VersionKind, now: number, standing: ForwardState | undefined): ForwardState {
  if (kind === "paid") return { state: "pending" };
  if (kind === "closed") return { state: "done", at: isoTime(now) };
  // Other changes, such as those of the kitchen to a paid check, do not affect it.
  return standing ?? { state: "none" };
}

function isJoined(snapshot: Snapshot | undefined): boolean {
  return snapshot !== undefined && tablesOf(snapshot).length > 1;
}

/** Returns the text that searches look at, folded (see `foldText`). */
function searchTextOf({ posReference, ticketNumber, customerName, staffName, ncf, fiscal }: Snapshot): string {
  const names = [posReference, ticketNumber, customerName, staffName, ncf, fiscal?.lookup];
  return foldText(names.filter(Boolean).join("\n"));
}

function eventOf(kind: VersionKind): OrderEvent {
  if (kind === "created") return "created";
  return kind === "paid" ? "paid" : "updated";
}
