import {
  type CreateOrder,
  EXTERNAL_REFERENCE_PREFIX,
  type PosSession,
  type Snapshot,
  type StoredOrder,
} from "@comanda/protocol";
import { mergePluginData, nextCheckNumber, refusalOfNewChecks, sum, totalsAgree } from "@comanda/rules";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { FloorPlanService } from "../floor-plan/floor-plan.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { isoTime, type World } from "../platform/world.ts";
import { externalLines } from "./external-lines.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { PointOfSale } from "./point-of-sale.ts";
import type { Numbering } from "./store/numbering.ts";
import type { OrderStore } from "./store/order-store.ts";
import { ruleError } from "./rulebook/rule-error.ts";
import { type OrderWriter, storedCheck } from "./store/order-writer.ts";

export interface ExternalOrderDeps {
  world: World;
  pos: PointOfSale;
  changes: ChangeLog;
  orders: OrderStore;
  orderWriter: OrderWriter;
  numbering: Numbering;
  floorPlan: FloorPlanService;
  /** The POS session, refreshed if the known one is outdated. */
  currentSession(): Promise<PosSession | null>;
}

/** The new check, or as `replayed` the check that was created earlier with the same `externalRef`. */
export type CreatedOrder = { created: ChangeOf<"order.stored"> } | { replayed: StoredOrder };

/** How long to wait for the back-office's tables. If it takes longer, it counts as unreachable and any table is accepted. */
const FLOOR_PLAN_WAIT_MS = 3_000;

/** Opens a check for an integration. A repeated `externalRef` returns the check that was created first, as `replayed`. */
export async function createExternalOrder(
  deps: ExternalOrderDeps,
  key: KeyHolder,
  input: CreateOrder,
): Promise<CreatedOrder> {
  const named = input.externalRef === undefined ? null : referenceOf(key, input.externalRef);
  const { changes, orders, orderWriter } = deps;
  const refusal = await backOfficeRefusal(deps, input);
  if (refusal !== null) {
    // A replay succeeds whatever the state of the session and the table.
    const replayed = named === null ? null : await changes.read(() => replayOf(orders, named));
    if (replayed === null) throw refusal;
    return { replayed };
  }

  return changes.write((tx) => {
    const again = named === null ? null : replayOf(orders, named);
    if (again !== null) return { replayed: again };
    requireFreeTable(orders, input.tableId);
    requireTotal(input);
    const posReference = named ?? referenceOf(key, mintedName(deps.world, tx));
    const snapshot = openSnapshot(deps, tx, posReference, key, input);
    const writer = { terminalId: key.writer, userName: key.label };
    const stored = orderWriter.store(tx, writer, { checks: [{ previous: null, snapshot, kind: "created" }] });
    return { created: storedCheck(stored, posReference) };
  });
}

function referenceOf(key: KeyHolder, name: string): string {
  return `${EXTERNAL_REFERENCE_PREFIX}${key.keyId}/${name}`;
}

function mintedName(world: World, tx: Tx): string {
  return `${tx.now}-${world.random.bytes(4).toString("hex")}`;
}

function replayOf(orders: OrderStore, posReference: string): StoredOrder | null {
  const stored = orders.get(posReference);
  if (stored === null && orders.wasRemoved(posReference)) {
    throw ruleError(orders.get, { code: "WAS_REMOVED", values: { posReference } });
  }
  return stored;
}

/** Returns why a new check cannot be opened according to the back-office; null if it can. */
async function backOfficeRefusal(deps: ExternalOrderDeps, { tableId }: CreateOrder): Promise<HubError | null> {
  const session = (await deps.currentSession()) ?? { active: false };
  const refusal = refusalOfNewChecks({ menu: deps.pos.config(), session });
  if (refusal !== null) return ruleError(deps.orders.get, refusal);
  if (tableId === undefined || (await isKnownTable(deps, tableId))) return null;
  return new HubError("UNKNOWN_TABLE", `tableId: the floor plan has no table ${tableId}`);
}

async function isKnownTable(deps: Pick<ExternalOrderDeps, "world" | "floorPlan">, tableId: number): Promise<boolean> {
  const lookup = deps.floorPlan.isKnown(tableId);
  return (await withTimeout(deps.world, FLOOR_PLAN_WAIT_MS, lookup)) ? lookup : true;
}

function requireFreeTable(orders: OrderStore, tableId: number | undefined): void {
  const existing = tableId === undefined ? undefined : orders.listActiveOnTable(tableId)[0];
  if (existing === undefined) return;
  const { posReference } = existing;
  throw new HubError("TABLE_OCCUPIED", `table ${tableId} has the active order ${posReference}`, {
    existing: { posReference },
  });
}

function requireTotal({ totals: { total }, lines }: CreateOrder): void {
  const added = sum(lines.map((line) => line.total));
  if (totalsAgree(total, added)) return;
  throw new HubError("TOTALS_MISMATCH", `totals.total is ${total}, but the lines add up to ${added}`);
}

function openSnapshot(
  { world, orders, numbering }: Pick<ExternalOrderDeps, "world" | "orders" | "numbering">,
  tx: Tx,
  posReference: string,
  key: KeyHolder,
  input: CreateOrder,
): Snapshot {
  const tableId = input.tableId ?? null;
  const ticketNumber = numbering.ticketNumber(tx, input.orderType);
  const pluginData = mergePluginData(undefined, input.pluginData);
  return {
    posReference,
    status: "open",
    orderType: input.orderType,
    tableId,
    customerName: input.customerName ?? null,
    notes: input.notes ?? null,
    guestCount: input.guestCount,
    staffName: input.staffName ?? key.label,
    checkNumber: nextCheckNumber({ checksOn: orders.listActiveOnTable }, { tableId }),
    ...(ticketNumber !== undefined && { ticketNumber }),
    createdAt: isoTime(tx.now),
    updatedAt: isoTime(tx.now),
    lines: externalLines(world, input.lines),
    totals: input.totals,
    ...(pluginData !== undefined && { pluginData }),
  };
}
