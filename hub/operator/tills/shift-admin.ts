import {
  sentence,
  type UnassignedPayment,
  type MethodId,
  type NoShift,
  type ShiftReport,
  type ShiftState,
  ShiftSummary,
} from "@comanda/protocol";
import { expectedByMethod } from "@comanda/rules";
import { HubError, requireFound } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";
import { presentUnassigned, tillMoneyOf } from "../../till/money-store.ts";
import { readShiftReport, type ReportDeps } from "../../till/shift-report.ts";
import { dayBounds, namedDay } from "../../time/business-day.ts";

export type ShiftAdmin = ReturnType<typeof createShiftAdmin>;

/** Shifts, and money without a shift, for managers, who assign that money to a shift. */
export function createShiftAdmin(
  deps: Pick<Stores, "changes" | "tills" | "audit"> & {
    clock: World["clock"];
    reports: ReportDeps;
    timeZone: string;
    /** The POS session that money is counted to. */
    session(): string;
    /** The ids of payment methods, as the back-office writes them. */
    methodIds(): readonly MethodId[];
  },
) {
  const { changes, tills, clock, reports, audit, timeZone } = deps;
  const { money } = reports;

  /** Restores the type of a method id as in bootstrap and payments: a numeric id is a number again. */
  function withOwnId<M extends { methodId: MethodId }>(of: M): M {
    const own = deps.methodIds().find((id) => String(id) === String(of.methodId));
    return { ...of, methodId: own ?? of.methodId };
  }

  return {
    list(day: string | undefined, state: ShiftState | undefined): ShiftSummary[] {
      const { from, to } =
        day === undefined
          ? { from: 0, to: Number.MAX_SAFE_INTEGER }
          : dayBounds(namedDay(day, clock.now(), timeZone), timeZone);
      return tills
        .listShifts(from, to, state ?? null)
        .map((shift) => ShiftSummary.parse(readShiftReport(reports, shift)));
    },

    report(shiftId: string): ShiftReport {
      const shift = requireFound(tills.getShift(shiftId), `there is no shift ${shiftId}`);
      const report = readShiftReport(reports, shift);
      return { ...report, byMethod: report.byMethod.map(withOwnId), late: report.late.map(withOwnId) };
    },

    noShift(): NoShift {
      const session = deps.session();
      const rows = money.listUnassignedBySession(session).filter(({ methodId }) => methodId !== "");
      const none = { cashMethodId: "", cash: new Set<string>(), float: 0, floats: [], moves: [] };
      const byMethod = expectedByMethod(rows.map(tillMoneyOf), none).flatMap(
        ({ methodId, currency, sales, tips, refunded }) =>
          methodId === "" || currency !== undefined ? [] : [{ methodId, sales, tips, refunded }],
      );
      return {
        payments: money.listUnassigned(session).map(presentUnassigned).map(withOwnId),
        byMethod: byMethod.map(withOwnId),
      };
    },

    /** Assigns money to an open shift, or as a late entry to a counted or closed one. Repeating it changes nothing. */
    assign: (paymentId: string, shiftId: string, by: string): Promise<{ payment: UnassignedPayment; late: boolean }> =>
      changes.write((tx) => {
        const row = money.find(paymentId);
        if (row === null || row.methodId === "") throw new HubError("NOT_FOUND", `there is no payment ${paymentId}`);
        const shift = requireFound(tills.getShift(shiftId), `there is no shift ${shiftId}`);
        if (row.shiftId !== null) {
          if (row.shiftId !== shiftId)
            throw new HubError("CONFLICT", `payment ${paymentId} already belongs to a shift`, { version: row.id });
          return { payment: withOwnId(presentUnassigned(row)), late: row.isLate === 1 };
        }
        const late = shift.state !== "open";
        money.assign(tx, row.id, shiftId, late, by);
        const assigned = sentence("note_amount", { amount: row.amount });
        audit.record(tx, by, "shift.assign", shift.tillName, { about: row.posReference, ...assigned });
        tx.notify(["tills"]);
        return { payment: withOwnId(presentUnassigned(row)), late };
      }),
  };
}
