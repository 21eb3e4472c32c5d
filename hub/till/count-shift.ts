import { isDeepStrictEqual } from "node:util";
import { sentence, type CountedMethod, type ForeignCurrency, type ShiftCount } from "@comanda/protocol";
import {
  comparedWith,
  type CountProblem,
  isWithinTolerance,
  type PaperContext,
  problemOfCount,
  refusalOfCount,
  shiftPaper,
} from "@comanda/rules";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import type { Drawer, DrawerDeps } from "./drawer.ts";
import type { ShiftRow } from "./shift-rows.ts";
import { cashOf, expectedOf, readShiftReport, type ReportDeps } from "./shift-report.ts";
import { requireAccepted } from "./accepted-currencies.ts";
import {
  actorFields,
  occurredAt,
  type MutationOf,
  requireAllowed,
  type TillAnswer,
  type TillWriter,
} from "./till-mutation.ts";

/** Thrown inside a transaction that still commits: the count is stored although the shift is not closed. */
export class CountSaved extends HubError<"APPROVAL_NEEDED"> {}

/** The most counts per shift without a manager. */
const MAX_COUNTS = 50;

/** Stores counts of shifts, and closes a shift if its count allows it. */
export function createShiftCount(
  deps: Pick<DrawerDeps, "tills" | "spool" | "paperContext"> & {
    report: ReportDeps;
    drawer: Pick<Drawer, "printerAt">;
    /** Foreign currencies that the restaurant accepts; null if they were never read. */
    currencies(): readonly ForeignCurrency[] | null;
    /** In pesos, for each counted method. */
    tolerance: number;
    audit: Pick<AuditLog, "record">;
  },
) {
  const { tills, report, drawer, spool, currencies, tolerance, paperContext, audit } = deps;
  const { shiftEvents } = report;

  /** Returns the shift and its count compared with the expected amounts. Throws if the count is not valid. */
  function requireCountable({ shiftId, counted }: MutationOf<"TILL_COUNT">, { role }: TillWriter) {
    const shift = tills.getShift(shiftId);
    requireAllowed(refusalOfCount(role, shift), `shift ${shiftId}`);
    if (shift === null) throw new HubError("NOT_FOUND", `there is no shift ${shiftId}`);
    const expected = expectedOf(report, shift);
    const cash = cashOf(report, shift);
    const problem = problemOfCount(counted, expected, cash);
    if (problem !== null) throw refusalFor(problem);
    const accepted = currencies();
    // The drawer may still have a currency that is no longer accepted.
    const inDrawer = expected.flatMap(({ currency: code }) => (code === undefined ? [] : [{ code }]));
    // Zero amounts count as absent: a terminal with an old menu also names currencies that are no longer accepted.
    const money = counted.filter(({ amount }) => amount !== 0);
    requireAccepted("counted", money, accepted && [...accepted, ...inDrawer]);
    return { shift, compared: comparedWith(expected, counted, cash) };
  }

  /** Stores a count and closes the shift if the count allows it. Otherwise throws CountSaved. */
  function count(tx: Tx, mutation: MutationOf<"TILL_COUNT">, writer: TillWriter, queuedAt: number | null): TillAnswer {
    const { shiftId, counted, note, mutationId } = mutation;
    const { shift, compared } = requireCountable(mutation, writer);
    const at = occurredAt(tx, queuedAt, shift);
    const { counts, countUnder } = shiftEvents.listByShift(shiftId);
    const isApproved = writer.role === "manager";
    const earlier = countUnder(mutationId);
    requireSame(earlier, mutation);
    const isRepeat = earlier !== undefined && !isApproved;
    if (counts.length >= MAX_COUNTS && !isApproved)
      throw new HubError("LIMIT_REACHED", "shiftId: counted too many times; ask a manager");
    if (!isRepeat) {
      const body = { at: isoTime(at), ...actorFields(writer), counted, ...(note !== undefined && { note }) };
      shiftEvents.add(tx, "count", { tillId: shift.tillId, shiftId, mutationId }, body);
      audit.record(tx, writer.userName, "shift.count", shift.tillName, describeCount(counted, paperContext()));
    }
    tx.notify(["tills"]);
    // Only the first count may close a shift by itself, so that trying again reveals nothing.
    const closes = isApproved || (counts.length === 0 && isWithinTolerance(compared, tolerance, currencies() ?? []));
    if (!closes) {
      tills.noteCounted(tx, shift, at);
      throw new CountSaved("APPROVAL_NEEDED", "the count was saved and needs a manager's approval");
    }
    return close(tx, { ...shift, countedAt: shift.countedAt ?? at }, writer);
  }

  function close(tx: Tx, shift: ShiftRow, writer: TillWriter): TillAnswer {
    const { id: shiftId, tillId } = shift;
    const closed = { ...shift, state: "closed" as const, closedAt: tx.now };
    const { userName: closedBy, approvedBy = null } = writer;
    const z = { ...readShiftReport(report, closed), closedBy, approvedBy, late: [] };
    const seq = tills.closeShift(tx, shift, z);
    const approval = approvedBy === null ? null : sentence("note_approved_by", { name: approvedBy });
    audit.record(tx, closedBy, "shift.close", shift.tillName, approval);
    const { terminalId } = writer;
    const printer = drawer.printerAt(tills.get(tillId), terminalId);
    if (printer !== null) {
      const blocks = shiftPaper(z, paperContext());
      spool.add(tx, { cause: `till:${shiftId}`, document: "till", printerId: printer.id, blocks, terminalId });
    }
    return { tillId, shiftId, seq };
  }

  return count;
}

/** Throws if the id was used for another count. A refused count is stored too, so a new one under its id would be lost. */
function requireSame(earlier: ShiftCount | undefined, { counted, note }: MutationOf<"TILL_COUNT">): void {
  if (earlier === undefined || (isDeepStrictEqual(earlier.counted, counted) && earlier.note === note)) return;
  throw new HubError("VALIDATION_ERROR", "mutationId: was used before for another count");
}

function refusalFor(problem: CountProblem): HubError {
  if (problem.why === "missing") {
    const { field, missing } = problem;
    const [{ currency }] = missing;
    const cash = currency === undefined ? "cash" : `cash in ${currency}`;
    return new HubError("VALIDATION_ERROR", `${field}: ${cash} must be counted`, { uncounted: missing });
  }
  const message = problem.why === "twice" ? "a method is listed twice" : "they do not add up to the counted amount";
  return new HubError("VALIDATION_ERROR", `${problem.field}: ${message}`);
}

function describeCount(counted: readonly CountedMethod[], { format, methodName }: PaperContext): string {
  return counted
    .map(({ methodId, currency, amount }) => {
      const money = currency === undefined ? format.money(amount) : `${currency} ${format.amount(amount)}`;
      return `${methodName(methodId)} ${money}`;
    })
    .join(", ")
    .slice(0, 500);
}
