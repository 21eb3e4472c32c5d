import {
  foldText,
  Language,
  type LeaseHolder,
  type LiveFloorPlan,
  type OrderStatus,
  type PlanTable,
  type StoredOrder,
  type TableCheck,
  tableLabel,
  type TableState,
} from "@comanda/protocol";
import type { PosState } from "../../back-office/pos-state.ts";
import { seatedFirst, seatedSince, tablesOf } from "@comanda/rules";
import { isoTime, type World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";

export type LiveFloorPlanState = ReturnType<typeof createLiveFloorPlan>;

const progress: readonly OrderStatus[] = ["open", "sent", "changed", "checkout"];

/** The restaurant's floors with the live state of every table, from memory and the last good read of the layout. */
export function createLiveFloorPlan(
  deps: Pick<Stores, "tables" | "leases" | "orders"> & {
    world: World;
    pos: PosState;
  },
) {
  const { world, pos, tables, leases, orders } = deps;

  function floors() {
    return pos.floors()?.value ?? [];
  }

  function present(
    floorId: number,
    table: ReturnType<typeof floors>[number]["tables"][number],
    state: TableState | undefined,
    checks: StoredOrder[],
  ): PlanTable {
    const { id: tableId, state: _state, ...place } = table;
    const lock = state?.lock ?? null;
    return {
      tableId,
      floorId,
      ...place,
      status: state?.status ?? "available",
      checks: checks.length,
      checkStatus: latestStatus(checks),
      since: seatedFirst(checks.map(({ snapshot }) => snapshot)),
      busy: lock !== null || checks.some((order) => leases.holder(order.posReference) !== null),
      detail: { checks: checks.map((order) => presentCheck(order, leases.holder(order.posReference))), lock },
    };
  }

  return {
    read(isManager: boolean): LiveFloorPlan {
      const plan = pos.floors();
      const states = new Map(tables.list(world.clock.now()).map((state) => [state.tableId, state]));
      const checks = checksByTable(orders.listActive());
      const listed = new Set(floors().flatMap((floor) => floor.tables.map((table) => table.id)));
      return {
        stale: plan?.isStale ?? true,
        fetchedAt: plan === null ? null : isoTime(plan.at),
        floors: floors().map((floor) => ({
          id: floor.id,
          name: floor.name,
          layoutMode: floor.layoutMode,
          tables: floor.tables.map((table) => {
            const full = present(floor.id, table, states.get(table.id), checks.get(table.id) ?? []);
            return isManager ? full : withoutTableDetail(full);
          }),
        })),
        unknownTables: [...checks.keys()].filter((id) => !listed.has(id)),
      };
    },

    counts() {
      const states = new Map(tables.list(world.clock.now()).map((state) => [state.tableId, state.status]));
      const ids = floors().flatMap((floor) => floor.tables.map((table) => table.id));
      const of = (status: string) => ids.filter((id) => (states.get(id) ?? "available") === status).length;
      return { total: ids.length, available: of("available"), occupied: of("occupied"), reserved: of("reserved") };
    },

    /** Returns the ids of tables whose label on a screen contains a text, ignoring case and accents. */
    named: (text: string): number[] =>
      floors()
        .flatMap((floor) => floor.tables)
        .filter((table) =>
          Language.options.some((each) => foldText(tableLabel(table.name, each)).includes(foldText(text))),
        )
        .map((table) => table.id),
    has: (tableId: number): boolean => floors().some((floor) => floor.tables.some((table) => table.id === tableId)),
  };
}

/** Groups checks by table. A check on joined tables is in each of their groups. */
function checksByTable(orders: readonly StoredOrder[]): Map<number, StoredOrder[]> {
  const onTables = orders.flatMap((order) => tablesOf(order.snapshot).map((tableId) => ({ tableId, order })));
  const groups = [...Map.groupBy(onTables, ({ tableId }) => tableId)];
  return new Map(groups.map(([tableId, group]) => [tableId, group.map(({ order }) => order)]));
}

function withoutTableDetail(table: PlanTable): PlanTable {
  const { detail: _, ...rest } = table;
  return rest;
}

function latestStatus(checks: readonly StoredOrder[]): OrderStatus | null {
  const reached = checks.map((order) => progress.indexOf(order.snapshot.status));
  return checks.length === 0 ? null : (progress[Math.max(...reached)] ?? null);
}

function presentCheck({ posReference, snapshot }: StoredOrder, lease: LeaseHolder | null): TableCheck {
  return {
    posReference,
    checkNumber: snapshot.checkNumber ?? null,
    status: snapshot.status,
    total: snapshot.totals.total,
    guestCount: snapshot.guestCount,
    staffName: snapshot.staffName ?? null,
    createdAt: snapshot.createdAt,
    seatedAt: seatedSince(snapshot),
    lease,
  };
}
