import {
  EXTERNAL_REFERENCE_PREFIX,
  type CreateOrder,
  type PosSession,
  type Snapshot,
  type StoredOrder,
} from "@comanda/protocol";
import type { ChangeOf, Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { FloorPlanDeps } from "../floor-plan/floor-plan.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { equalsWithin, sum } from "../platform/money.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { isoTime, type World } from "../platform/world.ts";
import { externalLines } from "./external-lines.ts";
import type { OrderDeps } from "./order-deps.ts";
import { followOrder } from "./table-state.ts";
import { mergePluginData, nextCheckNumber } from "./terminal-snapshot.ts";

/** What creating an order from outside works with. */
export interface ExternalOrderDeps extends OrderDeps {
  floorPlan: FloorPlanDeps;
  /** The POS session, asked for again when what is known is not fresh. */
  currentSession(): Promise<PosSession | null>;
}

const TOTALS_TOLERANCE = 0.02;
/** A back-office that takes longer than this to show its tables counts as out of reach: the order is taken. */
const FLOOR_PLAN_WAIT_MS = 3_000;

/** Opens a check for an integration; the same `externalRef` again gives the check that it made before: `replayed`. */
export async function createExternalOrder(
  room: ExternalOrderDeps,
  key: KeyHolder,
  asked: CreateOrder,
): Promise<{ made: ChangeOf<"order.stored"> } | { replayed: StoredOrder }> {
  const named = asked.externalRef === undefined ? null : referenceOf(key, asked.externalRef);
  const refusal = await refusalFromOutside(room, asked);
  if (refusal !== null) {
    // A replay comes before the session and the table.
    const replayed = named === null ? null : await findReplay(room, named);
    if (replayed === null) throw refusal;
    return { replayed };
  }

  return room.changes.write((tx) => {
    const again = named === null ? null : replayOf(room, named);
    if (again !== null) return { replayed: again };
    requireFreeTable(room, asked.tableId);
    requireTotals(asked);
    const posReference = named ?? referenceOf(key, mintedName(room.world, tx));
    const change = room.orders.save(tx, {
      posReference,
      snapshot: openSnapshot(room, tx, posReference, key, asked),
      kind: "created",
      origin: key.writer,
      userName: key.label,
      previous: null,
    });
    tx.emit(change);
    followOrder(room, tx, change.order.tableId, posReference, key.writer);
    return { made: change };
  });
}

function referenceOf(key: KeyHolder, name: string): string {
  return `${EXTERNAL_REFERENCE_PREFIX}${key.keyId}/${name}`;
}

function mintedName(world: World, tx: Tx): string {
  return `${tx.now}-${world.random.bytes(4).toString("hex")}`;
}

async function findReplay(room: OrderDeps, posReference: string): Promise<StoredOrder | null> {
  if (replayOf(room, posReference) === null) return null;
  // It may have been stored in this very turn: it is shown once it is durable.
  await room.changes.settled();
  return replayOf(room, posReference);
}

function replayOf(room: OrderDeps, posReference: string): StoredOrder | null {
  const stored = room.orders.get(posReference);
  if (stored === null && room.orders.wasRemoved(posReference)) {
    throw new HubError("ORDER_LOCKED", `order ${posReference} was discarded and cannot come back`);
  }
  return stored;
}

/** Why a new check cannot be opened, as far as the back-office decides it. */
async function refusalFromOutside(room: ExternalOrderDeps, { tableId }: CreateOrder): Promise<HubError | null> {
  if ((await room.currentSession())?.active !== true) {
    return new HubError("NO_ACTIVE_SESSION", "the point-of-sale session is closed");
  }
  if (tableId === undefined || (await isKnownTable(room, tableId))) return null;
  return new HubError("UNKNOWN_TABLE", `tableId: the floor plan has no table ${tableId}`);
}

async function isKnownTable(room: ExternalOrderDeps, tableId: number): Promise<boolean> {
  const looking = room.floorPlan.isKnown(tableId);
  return (await withTimeout(room.world, FLOOR_PLAN_WAIT_MS, looking)) ? looking : true;
}

function requireFreeTable(room: OrderDeps, tableId: number | undefined): void {
  const existing = tableId === undefined ? undefined : room.orders.activeOnTable(tableId)[0];
  if (existing === undefined) return;
  const { posReference } = existing;
  throw new HubError("TABLE_OCCUPIED", `table ${tableId} has the active order ${posReference}`, {
    existing: { posReference },
  });
}

function requireTotals({ lines, totals }: CreateOrder): void {
  const added = sum(lines.map((line) => line.total));
  if (equalsWithin(totals.total, added, TOTALS_TOLERANCE)) return;
  throw new HubError("TOTALS_MISMATCH", `totals.total is ${totals.total}, but the lines add up to ${added}`);
}

function openSnapshot(
  room: ExternalOrderDeps,
  tx: Tx,
  posReference: string,
  key: KeyHolder,
  asked: CreateOrder,
): Snapshot {
  const tableId = asked.tableId ?? null;
  const ticketNumber = room.numbering.ticketNumber(tx, asked.orderType);
  const pluginData = mergePluginData(undefined, asked.pluginData);
  return {
    posReference,
    status: "open",
    orderType: asked.orderType,
    tableId,
    customerName: asked.customerName ?? null,
    notes: asked.notes ?? null,
    guestCount: asked.guestCount,
    staffName: asked.staffName ?? key.label,
    checkNumber: tableId === null ? null : nextCheckNumber(room, tableId),
    ...(ticketNumber !== undefined && { ticketNumber }),
    createdAt: isoTime(tx.now),
    updatedAt: isoTime(tx.now),
    lines: externalLines(room.world, asked.lines),
    totals: asked.totals,
    ...(pluginData !== undefined && { pluginData }),
  };
}
