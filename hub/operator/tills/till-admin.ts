import type {
  ChangeTill,
  CreateTill,
  LoosePayment,
  NoShift,
  ShiftReport,
  ShiftState,
  ShiftSummary,
} from "@comanda/protocol";
import { expectedByMethod } from "@comanda/rules";
import type { ChangeLog } from "../../changes/change-log.ts";
import { HubError } from "../../platform/errors.ts";
import { presentLoose, tillMoneyOf } from "../../till/money-store.ts";
import { readShiftReport, type ReportDeps } from "../../till/shift-report.ts";
import type { ShiftRow, StoredTill, TillStore } from "../../till/till-store.ts";
import type { World } from "../../platform/world.ts";
import type { AuditLog } from "../audit-log.ts";
import { dayBounds } from "../business-day.ts";

/** More than any house has. */
const MOST_TILLS = 50;

export type TillAdmin = ReturnType<typeof createTillAdmin>;

/** What managers see of tills, and decide about them. */
export function createTillAdmin(deps: {
  world: World;
  changes: ChangeLog;
  tills: TillStore;
  reports: ReportDeps;
  audit: AuditLog;
  timeZone: string;
  /** When the POS session began, ms since 1970. */
  since(): number;
}) {
  const { world, changes, tills, reports, audit, timeZone } = deps;
  const { money } = reports;

  function require(tillId: string): StoredTill {
    const till = tills.get(tillId);
    if (till === null || till.isRemoved) throw new HubError("NOT_FOUND", `there is no till ${tillId}`);
    return till;
  }

  /** The money of a terminal lies in one drawer. */
  function requireFree(terminals: readonly string[], tillId: string): void {
    const other = tills
      .list()
      .find((till) => till.id !== tillId && till.terminals.some((id) => terminals.includes(id)));
    if (other !== undefined) {
      throw new HubError("VALIDATION_ERROR", `terminals: one of them belongs to the till ${other.name}`);
    }
  }

  function summary(shift: ShiftRow): ShiftSummary {
    const { byMethod: _, ...report } = readShiftReport(reports, shift);
    const { id, tillId, tillName, state, openedAt, openedBy, countedAt, closedAt, closedBy, approvedBy } = report;
    const { sales, difference } = report;
    return {
      id,
      tillId,
      tillName,
      state,
      openedAt,
      openedBy,
      countedAt,
      closedAt,
      closedBy,
      approvedBy,
      sales,
      difference,
    };
  }

  return {
    list: tills.list,

    create: (input: CreateTill, by: string): Promise<StoredTill> =>
      changes.write((tx) => {
        const { id = world.random.uuid(), name, printer = null, terminals } = input;
        if (tills.list().length >= MOST_TILLS)
          throw new HubError("LIMIT_REACHED", `a house has at most ${MOST_TILLS} tills`);
        const known = tills.get(id);
        if (known !== null && !known.isRemoved) throw new HubError("VALIDATION_ERROR", `id: there is a till ${id}`);
        requireFree(terminals, id);
        tills.change(tx, { id, name, printer, terminals, isRemoved: false });
        audit.record(tx, by, "till.create", name);
        return require(id);
      }),

    change: (tillId: string, { name, printer, terminals }: ChangeTill, by: string): Promise<StoredTill> =>
      changes.write((tx) => {
        const till = require(tillId);
        if (terminals !== undefined) requireFree(terminals, tillId);
        tills.change(tx, {
          id: tillId,
          name: name ?? till.name,
          printer: printer === undefined ? till.printer : printer,
          terminals: terminals ?? till.terminals,
          isRemoved: false,
        });
        audit.record(tx, by, "till.change", name ?? till.name);
        return require(tillId);
      }),

    remove: (tillId: string, by: string): Promise<void> =>
      changes.write((tx) => {
        const till = require(tillId);
        if (till.shift !== null) throw new HubError("SHIFT_OPEN", `the shift of till ${till.name} is not closed`);
        tills.change(tx, { ...till, terminals: [], isRemoved: true });
        audit.record(tx, by, "till.delete", till.name);
      }),

    shifts(day: string | undefined, state: ShiftState | undefined): ShiftSummary[] {
      const { from, to } = day === undefined ? { from: 0, to: Number.MAX_SAFE_INTEGER } : dayBounds(day, timeZone);
      return tills.listShifts(from, to, state ?? null).map(summary);
    },

    report(shiftId: string): ShiftReport {
      const shift = tills.shift(shiftId);
      if (shift === null) throw new HubError("NOT_FOUND", `there is no shift ${shiftId}`);
      return readShiftReport(reports, shift);
    },

    noShift(): NoShift {
      const rows = money.looseSince(deps.since()).filter(({ methodId }) => methodId !== "");
      const none = { cashMethodId: "", float: 0, floats: [], moves: [] };
      const byMethod = expectedByMethod(rows.map(tillMoneyOf), none).flatMap(
        ({ methodId, currency, sales, tips, refunded }) =>
          methodId === "" || currency !== undefined ? [] : [{ methodId, sales, tips, refunded }],
      );
      return { payments: money.loose().map(presentLoose), byMethod };
    },

    /** Into an open shift, or beside one that was counted. The same again changes nothing. */
    assign: (paymentId: string, shiftId: string, by: string): Promise<{ payment: LoosePayment; late: boolean }> =>
      changes.write((tx) => {
        const id = Number(paymentId);
        const row = Number.isSafeInteger(id) ? money.get(id) : null;
        if (row === null || row.methodId === "") throw new HubError("NOT_FOUND", `there is no payment ${paymentId}`);
        const shift = tills.shift(shiftId);
        if (shift === null) throw new HubError("NOT_FOUND", `there is no shift ${shiftId}`);
        if (row.shiftId !== null) {
          if (row.shiftId !== shiftId)
            throw new HubError("CONFLICT", `payment ${paymentId} belongs to a shift`, { version: row.id });
          return { payment: presentLoose(row), late: row.isLate === 1 };
        }
        const late = shift.state !== "open";
        money.assign(tx, id, shiftId, late, by);
        audit.record(tx, by, "shift.assign", shiftId, `${row.posReference} ${row.amount}`);
        tx.notify(["tills"]);
        return { payment: presentLoose(row), late };
      }),
  };
}
