import type { ClosingReport, Payment, PosSession } from "@comanda/protocol";
import { noTakings, subtract, sum, withRefunds, withTaking } from "@comanda/rules";
import type { ChangeOf, Listener } from "../../changes/change.ts";
import { writeOrLog } from "../../changes/write-or-log.ts";
import type { Db } from "../../db/open.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { soundRow } from "../../db/integrity/sealed-tables.ts";
import type { Stores } from "../../stores/create-stores.ts";
import type { NotInAccounting } from "./not-in-accounting.ts";
import type { World } from "../../platform/world.ts";

export type SessionTotals = ReturnType<typeof createSessionTotals>;
type Totals = ClosingReport["totals"];

export const noTotals: Totals = { ...noTakings, notYetInAccounting: 0 };

const MEMORY = "countedSession";

/** The takings of this POS session from the hub's own data, and how much of them the back-office lacks. */
export function createSessionTotals(
  deps: Pick<Stores, "changes" | "orders" | "watch" | "memory" | "refunds" | "time"> & {
    world: World;
    /** The POS session as the back-office last reported it; null if it never did. */
    session(): PosSession | null;
    db: Db;
    notInAccounting: NotInAccounting;
  },
) {
  const { world, db, memory, session, orders, watch } = deps;
  const paidIn = db.prepare<[string], TakingRow>(`
    SELECT pos_reference AS posReference, total, payments, ${soundRow(db, "takings")} AS isSound
    FROM takings WHERE session = ?`);
  let totals: Totals | null = null;
  let start = memory.read<string | number>(MEMORY);
  deps.time.onStampsSet((byMs, since) => {
    if (start !== null && start.at >= since) begin(start.value, start.at + byMs);
  });

  function counted(): string {
    return JSON.stringify(start?.value ?? null);
  }

  /** A session begins when the hub first sees it. */
  function follow(): void {
    const id = session()?.id ?? null;
    if (id === null || start?.value === id) return;
    totals = null;
    begin(id, world.clock.now());
  }

  function begin(id: string | number, at: number): void {
    start = { value: id, at };
    void writeOrLog(deps, "the start of the session could not be kept", () => memory.write(MEMORY, id, at));
  }

  /** Reports a damaged row and takes its amounts from the paid order, or from the row if the order cannot be read either. */
  function readFromOrder(row: TakingRow): Taking {
    watch.reportDamagedRow(`what was taken for ${row.posReference} does not match its seal`);
    try {
      const { totals, payments = [] } = orders.get(row.posReference)?.snapshot ?? { totals: undefined };
      return totals === undefined ? takingOf(row) : { total: totals.total, payments };
    } catch {
      return takingOf(row);
    }
  }

  function read(): Totals {
    const rows = paidIn.all(counted()).map((row) => (row.isSound === 1 ? takingOf(row) : readFromOrder(row)));
    const notYetInAccounting = sum(deps.notInAccounting().map(({ amount }) => amount));
    return { ...rows.reduce(withTaking, noTakings), notYetInAccounting };
  }

  /** Updates the totals for one payment instead of adding up all of them again. */
  function add(totals: Totals, { versionKind, order }: ChangeOf<"order.stored">): Totals {
    const { totals: charged, payments = [] } = order.snapshot;
    const { total } = charged;
    const { notYetInAccounting } = totals;
    if (versionKind === "closed") return { ...totals, notYetInAccounting: subtract(notYetInAccounting, total) };
    if (versionKind !== "paid") return totals;
    return { ...withTaking(totals, { total, payments }), notYetInAccounting: sum([notYetInAccounting, total]) };
  }

  return {
    start: follow,
    follow: ((group) => {
      for (const change of group) {
        if (change.kind === "session.changed") follow();
        else if (change.kind === "order.stored" && totals !== null) totals = add(totals, change);
      }
    }) satisfies Listener,
    // Refunds are few and may be of any check, so they are read each time.
    read(): Totals {
      const { notYetInAccounting, ...takings } = (totals ??= read());
      return { ...withRefunds(takings, deps.refunds.listBySession(counted())), notYetInAccounting };
    },
    /** The session of the totals, as it is stored with what belongs to it. */
    session: counted,
    /** When that session began, ms since 1970. */
    since: (): number => start?.at ?? world.clock.now(),
  };
}

interface Taking {
  total: number;
  payments: readonly Payment[];
}

interface TakingRow {
  posReference: string;
  total: number;
  payments: string;
  isSound: 0 | 1;
}

function takingOf({ total, payments }: TakingRow): Taking {
  return { total, payments: parseColumn<Payment[]>(payments, []) };
}
