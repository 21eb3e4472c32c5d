import type { Adjustment, Snapshot, StoredLine, StoredOrder, TerminalSnapshot } from "@comanda/protocol";
import { MAX_AMOUNT } from "@comanda/protocol/bounds.ts";
import { hubFieldNames } from "@comanda/protocol/line-fields.ts";
import type { RuleContext } from "../context.ts";
import type { KitchenWrite } from "../kitchen/kitchen-write.ts";
import { statusOf } from "../kitchen/line-quantities.ts";
import { lineTotal } from "../money/pricing/line-total.ts";
import { addUp, asGranted, requestedAdjustments } from "../money/pricing/limit-discounts.ts";
import { sumOfLines } from "../money/pricing/sum-of-lines.ts";
import { totalsAgree } from "../money/pricing/totals-agree.ts";
import { isSame } from "../same.ts";
import { without } from "../without.ts";
import type { CheckOnTable } from "./check-on-table.ts";
import { isoTime } from "../time.ts";
import type { CheckRefusal } from "./check-refusal.ts";
import { joinNotes } from "./join-notes.ts";
import { nextParty, type Origins } from "./party.ts";
import { mergePluginData } from "./plugin-data.ts";
import { seatedFirst } from "./seated-since.ts";
import { nextCheckNumber, requestedTables } from "./tables-of.ts";

interface ToWrite {
  posReference: string;
  input: TerminalSnapshot;
  stored: StoredOrder | null;
  kitchen: Pick<KitchenWrite, "lines" | "hasMoved">;
  tables: { checksOn(tableId: number): readonly CheckOnTable[] };
  origins: Origins;
  /** The checks merged into this one. */
  merged: readonly Snapshot[];
}

/**
 * Returns the snapshot after a terminal's write. Its content is the terminal's, with the notes of checks merged into it. The
 * fields that only the hub sets (status, numbers, times, payments, kitchen fields) and plugin data left out by the terminal come
 * from the stored check.
 */
export function nextSnapshot(
  { posReference, input, stored, kitchen, tables: onTables, origins, merged }: ToWrite,
  { now, writer, hub }: Pick<RuleContext, "now" | "writer" | "hub">,
): { snapshot: Snapshot } | { refusal: CheckRefusal } {
  const before = stored?.snapshot;
  const orderType = input.orderType ?? before?.orderType ?? "dine_in";
  const tables = requestedTables(input, before);
  if ("refusal" in tables) return tables;
  const requested = input.lines?.map(withAmounts) ?? before?.lines ?? [];
  const large = requested.findIndex(({ total = 0 }) => Math.abs(total) > MAX_AMOUNT);
  if (large !== -1) return tooLarge(`snapshot.lines.${large}.total`, requested[large]?.total ?? 0);
  const lines = kitchen.lines(posReference, requested);
  const amounts = nextAmounts(input, before, lines);
  if ("refusal" in amounts) return amounts;
  const { totals, adjustments } = amounts;
  const stays = before !== undefined && before.tableId === tables.tableId;
  const checkNumber = stays && before.checkNumber != null ? before.checkNumber : nextCheckNumber(onTables, tables);
  const ticketNumber = orderType === "dine_in" ? undefined : (before?.ticketNumber ?? hub?.ticketNumber(orderType));
  const createdAt = before?.createdAt ?? isoTime(now);
  const seatedAt = seatedFirst(before === undefined ? origins.checks : [before, ...origins.checks]);
  const pluginData = mergePluginData(before?.pluginData, input.pluginData);
  const notes = merged.length === 0 ? "" : joinNotes([input.notes, ...merged.map((check) => check.notes)]);
  return {
    snapshot: {
      ...without(input, otherFields),
      ...(notes !== "" && { notes }),
      posReference,
      status: nextStatus(before, lines, kitchen.hasMoved(posReference)),
      orderType,
      ...tables,
      ...nextParty(input.guestCount, before, origins),
      staffName: input.staffName ?? before?.staffName ?? writer.userName,
      checkNumber,
      createdAt,
      ...(seatedAt !== null && seatedAt < createdAt && { seatedAt }),
      updatedAt: isoTime(now),
      lines,
      totals,
      ...(adjustments !== undefined && {
        adjustments: withApproval(adjustments, before?.adjustments, writer.approvedBy),
      }),
      ...(ticketNumber !== undefined && { ticketNumber }),
      ...(before?.tenders !== undefined && { tenders: before.tenders }),
      ...(pluginData !== undefined && { pluginData }),
    },
  };
}

/** The fields of a terminal's content that are not stored as it sends them. */
const otherFields: ReadonlySet<string> = new Set([
  ...hubFieldNames,
  "ticketNumber",
  "tableIds",
  "adjustments",
  "pluginData",
]);

/** Fills in the amounts that the back-office requires of every line. */
function withAmounts(line: StoredLine): StoredLine {
  const { unitPrice = 0, taxIds = [], taxAmount = 0 } = line;
  return { ...line, unitPrice, total: lineTotal(line), taxIds, taxAmount };
}

/**
 * Returns the terminal's adjustments, limited to what the check costs, and its totals if they match its lines and adjustments.
 * The stored ones stay if it changed none of them.
 */
function nextAmounts(
  input: TerminalSnapshot,
  before: Snapshot | undefined,
  lines: readonly StoredLine[],
): Pick<Snapshot, "totals" | "adjustments"> | { refusal: CheckRefusal } {
  const isAsBefore = input.lines === undefined && input.adjustments === undefined;
  if (input.totals === undefined && isAsBefore && before !== undefined) return before;
  const requested = requestedAdjustments(input, before);
  const limited = addUp(lines, requested);
  if (input.totals === undefined) {
    const { total } = limited.totals;
    return Math.abs(total) > MAX_AMOUNT ? tooLarge("snapshot.totals.total", total) : limited;
  }
  const { total } = input.totals;
  const added = sumOfLines(lines, requested).total;
  if (!totalsAgree(total, added)) return { refusal: { code: "WRONG_TOTAL", values: { total, added } } };
  return limited.totals.total === added ? { ...limited, totals: input.totals } : limited;
}

/** Rejects a computed amount, which can exceed the limit although each of its inputs is within bounds. */
function tooLarge(field: string, amount: number): { refusal: CheckRefusal } {
  return { refusal: { code: "AMOUNT_TOO_LARGE", values: { field, amount } } };
}

/** The tickets already follow lines that were split, moved, voided or taken back, so the status depends on what is missing. */
function nextStatus(before: Snapshot | undefined, lines: readonly StoredLine[], hasMoved: boolean): Snapshot["status"] {
  if (before === undefined || before.status === "open" || hasMoved) return statusOf(lines);
  if (before.status !== "sent") return before.status;
  return isSame(before.lines, lines) ? "sent" : "changed";
}

/** Adds the approver's name to new discounts that were approved by another person. */
function withApproval(
  adjustments: readonly Adjustment[],
  before: readonly Adjustment[] = [],
  approvedBy: string | undefined,
): Adjustment[] {
  return adjustments.map((each) => {
    const isNew = each.kind === "discount" && !before.some((previous) => isSame(asGranted(previous), asGranted(each)));
    return isNew && approvedBy !== undefined ? { ...each, by: approvedBy } : each;
  });
}
