import type { Block, ForeignCurrency } from "@comanda/protocol";
import { blindShiftPaper, refusalOfDrawer, shiftPaper } from "@comanda/rules";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Tx } from "../changes/change.ts";
import { HubError, requireFound } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { createShiftCount } from "./count-shift.ts";
import { createDrawer, type DrawerDeps } from "./drawer.ts";
import { readShiftReport, type ReportDeps } from "./shift-report.ts";
import { createShiftWrites } from "./shift-writes.ts";
import {
  approvedNote,
  type MutationOf,
  present,
  requireAllowed,
  type TillAnswer,
  type TillMutation,
  type TillWriter,
} from "./till-mutation.ts";

export type TillService = ReturnType<typeof createTillService>;

/** `blind`: an X report without amounts. */
type ShiftPaperKind = "z" | "x" | "blind";

/** Executes the terminals' mutations of tills. */
export function createTillService(
  deps: Pick<DrawerDeps, "tills" | "spool" | "printers" | "paperContext"> & {
    report: ReportDeps;
    /** The currencies that the restaurant accepts; null if they were never read. */
    config(): { currencies?: readonly ForeignCurrency[] | undefined } | null;
    tolerance: number;
    audit: Pick<AuditLog, "record">;
  },
) {
  const { tills, report, config, paperContext, audit } = deps;
  const { shiftEvents, cashMethods } = report;
  const shared = { ...deps, cashMethods, shiftEvents };
  const drawer = createDrawer(shared);
  const currencies = () => {
    const current = config();
    return current === null ? null : (current.currencies ?? []);
  };
  const { open, move } = createShiftWrites({ ...shared, drawer, currencies });
  const count = createShiftCount({ ...shared, drawer, currencies });

  function openDrawer(
    tx: Tx,
    mutation: MutationOf<"TILL_DRAWER">,
    writer: TillWriter,
    queuedAt: number | null,
  ): TillAnswer {
    const { tillId, reason, mutationId } = mutation;
    const till = present(tills.get(tillId));
    requireAllowed(refusalOfDrawer(writer.role, till), `till ${tillId}`);
    if (till === null) throw new HubError("NO_TILL", `there is no till ${tillId}`);
    const opensDrawer = drawer.open(tx, till, writer, { why: "drawer", reason, mutationId, queuedAt });
    audit.record(tx, writer.userName, "till.drawer", till.name, approvedNote(writer, reason));
    tx.notify(["tills"]);
    return { tillId, seq: till.seq, opensDrawer };
  }

  return {
    /** Executes a mutation of a terminal. Throws a HubError; a CountSaved leaves the count stored. */
    carryOut(tx: Tx, mutation: TillMutation, writer: TillWriter, queuedAt: number | null): TillAnswer {
      switch (mutation.type) {
        case "TILL_OPEN":
          return open(tx, mutation, writer, queuedAt);
        case "TILL_MOVE":
          return move(tx, mutation, writer, queuedAt);
        case "TILL_COUNT":
          return count(tx, mutation, writer, queuedAt);
        case "TILL_DRAWER":
          return openDrawer(tx, mutation, writer, queuedAt);
      }
    },

    /** The printed report of a shift: its Z if it is closed, else an X, which has amounts only for a manager. */
    paperOf(tx: Tx, shiftId: string, role: TillWriter["role"]): { blocks: Block[]; kind: ShiftPaperKind } {
      const shift = requireFound(tills.getShift(shiftId), `there is no shift ${shiftId}`);
      const kind = shift.state === "closed" ? "z" : role === "manager" ? "x" : "blind";
      if (kind !== "blind") return { blocks: shiftPaper(readShiftReport(report, shift), paperContext()), kind };
      const { tillName, openedAt, openedBy } = shift;
      const facts = { tillName, openedAt: isoTime(openedAt), openedBy, at: isoTime(tx.now) };
      return { blocks: blindShiftPaper(facts, paperContext()), kind };
    },

    record: drawer.record,
  };
}
