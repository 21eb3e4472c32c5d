import type { BackOfficeTax, CountedMethod, Rounding, ShiftReport, ShiftSummary, Snapshot } from "@comanda/protocol";
import {
  comparedWith,
  createSalesReport,
  expectedByMethod,
  salesOf,
  type ShiftCash,
  sum,
  tipInTotal,
  typeOfNumber,
} from "@comanda/rules";
import { isoTime, isoTimeOrNull } from "../platform/world.ts";
import { groupOf } from "./money-moves.ts";
import { type MoneyRow, type MoneyStore, presentLate, tillMoneyOf } from "./money-store.ts";
import type { ShiftEvents } from "./shift-events.ts";
import type { ShiftRow } from "./shift-rows.ts";

export interface ReportDeps {
  money: MoneyStore;
  shiftEvents: ShiftEvents;
  /** The content of a check; null if it is missing or cannot be read. */
  snapshotOf(posReference: string): Snapshot | null;
  /** The methods whose money is kept in a drawer. */
  cashMethods(): readonly string[];
  /** Former cash methods: money taken with them is still in the drawer. */
  formerCash(): readonly string[];
  /** The menu, to value discounts, voids and comps; null if it was never read. */
  menu(): { taxes: readonly BackOfficeTax[]; rounding?: Rounding | undefined } | null;
  /** Whether a job's pulse reached its drawer; null if not known yet. */
  answered(jobId: string): boolean | null;
}

/** Returns the current report of a shift, or the one at its closing, which only gains late entries. */
export function readShiftReport(deps: ReportDeps, shift: ShiftRow): ShiftReport {
  const rows = deps.money.listByShift(shift.id);
  const late = rows.filter(({ isLate }) => isLate === 1).map(presentLate);
  if (shift.report !== null) return { ...shift.report, late };
  const counts = deps.shiftEvents.listByShift(shift.id).counts;
  return { ...reportOf(deps, shift, rows, counts.at(-1)?.counted ?? []), late };
}

/** Returns what should be in the drawer of a shift, by method. */
export function expectedOf(deps: Pick<ReportDeps, "money" | "shiftEvents" | CashMethods>, shift: ShiftRow) {
  const { money, shiftEvents } = deps;
  const own = money.listByShift(shift.id).filter(({ isLate }) => isLate === 0);
  const { moves } = shiftEvents.listByShift(shift.id);
  return expectedByMethod(own.flatMap(moneyIn), { ...shift, ...cashOf(deps, shift), moves });
}

type CashMethods = "cashMethods" | "formerCash";

/** Returns which of a shift's money is cash. */
export function cashOf({ cashMethods, formerCash }: Pick<ReportDeps, CashMethods>, shift: ShiftRow): ShiftCash {
  return { cashMethodId: shift.cashMethodId, cash: new Set([...cashMethods(), ...formerCash()]) };
}

/** Returns the money of a row. A check without payments counts as settled, but moved none. */
function moneyIn(row: MoneyRow) {
  return row.methodId === "" ? [] : [tillMoneyOf(row)];
}

function reportOf(
  deps: ReportDeps,
  shift: ShiftRow,
  rows: readonly MoneyRow[],
  counted: readonly CountedMethod[],
): Omit<ShiftReport, "late"> {
  const { moves, counts, openings } = deps.shiftEvents.listByShift(shift.id);
  const own = rows.filter(({ isLate }) => isLate === 0);
  const byMethod = comparedWith(expectedOf(deps, shift), counted, cashOf(deps, shift));
  const settled = own.filter(({ isSettling }) => isSettling === 1);
  const checks = settled.flatMap(({ at, posReference, userName }) => {
    const snapshot = deps.snapshotOf(posReference);
    return snapshot === null ? [] : [{ at, snapshot, userName }];
  });
  const refunds = own.filter(({ kind }) => kind === "refund");
  return {
    ...summaryOf(shift, byMethod),
    float: shift.float,
    floats: shift.floats,
    byMethod,
    moves,
    refunds: {
      count: new Set(refunds.map(({ identity }) => groupOf(identity))).size,
      amount: sum(refunds.map(({ amount }) => -amount)),
    },
    ...reductionsOf(deps, checks),
    tips: tipsOf(deps, own, checks),
    checks: {
      from: settled[0]?.posReference ?? null,
      to: settled.at(-1)?.posReference ?? null,
      count: settled.length,
    },
    fiscal: fiscalOf([...checks.flatMap(({ snapshot: { ncf } }) => ncf ?? []), ...notesOf(deps, refunds)]),
    counts,
    openings: openings.map(({ jobId, ...opening }) => ({
      ...opening,
      answered: jobId === null ? false : deps.answered(jobId),
    })),
  };
}

function summaryOf(shift: ShiftRow, byMethod: ShiftReport["byMethod"]): ShiftSummary {
  const { id, tillId, tillName, state, openedAt, openedBy, countedAt, closedAt, cashMethodId } = shift;
  const cash = byMethod.find(({ methodId, currency }) => methodId === cashMethodId && currency === undefined);
  return {
    id,
    tillId,
    tillName,
    state,
    openedAt: isoTime(openedAt),
    openedBy,
    countedAt: isoTimeOrNull(countedAt),
    closedAt: isoTimeOrNull(closedAt),
    closedBy: null,
    approvedBy: null,
    sales: salesOf(byMethod),
    difference: cash?.difference ?? null,
  };
}

function reductionsOf(deps: ReportDeps, checks: readonly { at: number; snapshot: Snapshot }[]) {
  const { taxes = [], rounding } = deps.menu() ?? {};
  const report = createSalesReport({ taxes, rounding, hourOf: isoTime });
  for (const { at, snapshot } of checks) report.addCheck(at, snapshot);
  const { discounts, voids, comps } = report.read();
  const summed = (list: readonly { amount: number }[]) => ({
    count: list.length,
    amount: sum(list.map(({ amount }) => amount)),
  });
  return { discounts: summed(discounts), voids: summed(voids), comps: summed(comps) };
}

/**
 * Sums tips by waiter, both beside checks and within their totals. A tip counts for the check's current waiter, even if another
 * had the check at the time; without a waiter, for the person who took it.
 */
function tipsOf(
  deps: ReportDeps,
  rows: readonly MoneyRow[],
  checks: readonly { snapshot: Snapshot; userName: string }[],
): ShiftReport["tips"] {
  const tips = new Map<string, number>();
  const add = (name: string, tip: number): void => void tips.set(name, sum([tips.get(name) ?? 0, tip]));
  const read = new Map(checks.map(({ snapshot }) => [snapshot.posReference, snapshot]));
  for (const { posReference, tip, staffName, userName } of rows) {
    if (tip === 0) continue;
    const check = read.get(posReference) ?? deps.snapshotOf(posReference);
    add(check?.staffName ?? staffName ?? userName, tip);
  }
  for (const { snapshot, userName } of checks) add(snapshot.staffName ?? userName, tipInTotal(snapshot));
  return [...tips].flatMap(([userName, amount]) => (amount === 0 ? [] : [{ userName, amount }]));
}

/** Returns the numbers of the credit notes that were paid from the drawer. */
function notesOf({ snapshotOf }: Pick<ReportDeps, "snapshotOf">, refunds: readonly MoneyRow[]): Set<string> {
  const notes = refunds.flatMap(({ posReference, identity }) => {
    const made = snapshotOf(posReference)?.refunds ?? [];
    return made.find(({ refundId }) => refundId === groupOf(identity))?.ncf ?? [];
  });
  return new Set(notes);
}

function fiscalOf(numbers: readonly string[]): ShiftReport["fiscal"] {
  const types = Map.groupBy(numbers.toSorted(), typeOfNumber);
  return [...types].map(([type, [from = "", ...more]]) => ({
    type,
    from,
    to: more.at(-1) ?? from,
    count: 1 + more.length,
  }));
}
