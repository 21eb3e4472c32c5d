import type { Snapshot, StoredLine, TerminalLine, TerminalSnapshot } from "@comanda/protocol";
import { EXTERNAL_REFERENCE_PREFIX } from "@comanda/protocol/origins.ts";
import type { RuleContext } from "../context.ts";
import type { CheckLines } from "../kitchen/find-dishes.ts";
import { returnItems } from "../kitchen/item-states.ts";
import { planKitchenWrite, rightsOf, type KitchenWrite } from "../kitchen/kitchen-write.ts";
import { compareWithMenu, discountIn, keepPrices } from "../money/pricing/discounts.ts";
import { keepGranted } from "../money/pricing/limit-discounts.ts";
import { type CheckWrite, findOrigins } from "../money/pricing/line-origins.ts";
import { changesOf, type CheckChange, type CheckRemoval, type Outcome, type Refusal } from "../outcome.ts";
import { refusalOfRemoval, refusalOfTotal } from "../payments/money-on-check.ts";
import type { ServiceState } from "../state.ts";
import { findMerges } from "./find-merges.ts";
import { refusalOfParty } from "./guest-record.ts";
import { refusalOfChange, refusalOfLease, refusalOfNewChecks } from "./guards.ts";
import { nextSnapshot } from "./next-snapshot.ts";
import { markVoids } from "./mark-voids.ts";
import { ownName } from "./own-name.ts";
import { originsOf, type Origins } from "./party.ts";
import { refusalOfTables, tablesDuring, tablesOf } from "./tables-of.ts";

/** The requested content of a check. `baseVersion` is the version that the writer knew, or 0 for a new check. */
export interface CheckContent {
  posReference: string;
  baseVersion: number;
  snapshot: TerminalSnapshot;
}

/** What all checks of one write have in common. */
interface Write {
  state: ServiceState;
  context: RuleContext;
  kitchen: KitchenWrite;
  /** The checks on each table, including those written so far. */
  tables: ReturnType<typeof tablesDuring>;
  written: CheckChange[];
  /** At least one of the checks exists, so a new one is a part of it. */
  isSplit: boolean;
  /** The tables that may get another check without `additionalCheck`. */
  shared: ReadonlySet<number>;
  originsOf: (posReference: string) => Origins;
  /** Returns the checks merged into a check. */
  mergedInto: (posReference: string) => readonly Snapshot[];
  /** Another check is allowed on any table, and for guests who already have one. */
  additionalCheck: boolean;
}
/**
 * Creates or changes checks, all or none: an edit, a split, a merge or a move. Sent lines may move between these checks. A
 * check whose lines have all moved to the others is closed.
 */
export function writeChecks(
  state: ServiceState,
  contents: readonly CheckContent[],
  context: RuleContext,
  { additionalCheck = false } = {},
): Outcome {
  const writes = contents.map((content) => ({ ...content, before: state.order(content.posReference)?.snapshot }));
  const origins = findOrigins(writes);
  const keep = keepPrices(origins);
  const compare = compareWithMenu(origins, context.menu);
  const mark = markVoids(writes, origins, context.writer);
  const compared = writes.map((check) =>
    check.snapshot.lines?.map((line) => compare(check, mark(check, keep(check, line)))),
  );
  const granted = keepGranted(writes);
  const priced = writes.map((check, index) => {
    const lines = compared[index]?.map(({ line }) => line);
    const adjustments = check.snapshot.adjustments?.map(granted);
    const known = { ...(lines !== undefined && { lines }), ...(adjustments !== undefined && { adjustments }) };
    return { ...check, snapshot: { ...check.snapshot, ...known } };
  });
  const checks = priced.map(({ posReference, snapshot: { lines }, before }): CheckLines => {
    const stored: readonly StoredLine[] = before?.lines ?? [];
    return { posReference, stored, requested: lines ?? stored };
  });
  const present = priced.flatMap(({ posReference }) => state.order(posReference) ?? []);
  const merges = findMerges(checks);
  const write: Write = {
    state,
    context,
    kitchen: planKitchenWrite(state, checks, rightsOf(context), context),
    tables: tablesDuring(state),
    written: [],
    isSplit: present.length > 0,
    originsOf: originsOf(state, priced, merges),
    mergedInto: (posReference) =>
      [...merges].flatMap(([from, into]) => (into.includes(posReference) ? (state.order(from)?.snapshot ?? []) : [])),
    shared: new Set(present.flatMap(({ snapshot }) => tablesOf(snapshot))),
    additionalCheck,
  };
  const { written } = write;
  const removals: CheckRemoval[] = [];
  for (const content of priced.toSorted(
    (one, other) => Number(merges.has(one.posReference)) - Number(merges.has(other.posReference)),
  )) {
    const { posReference } = content;
    const mergedInto = merges.get(posReference);
    const result = mergedInto === undefined ? writeCheck(write, content) : closeMerged(write, content, mergedInto);
    if ("refusal" in result) return { ...result, posReference };
    if ("check" in result) removals.push(result);
    else written.push(result);
    write.tables.write(posReference, "check" in result ? null : result.snapshot);
  }
  // Checked last: a person who faces a conflict or a lock has to resolve that first.
  const discount = context.writer.role === "waiter" ? discountIn(priced, context.menu, origins) : null;
  if (discount !== null) {
    const { posReference, ...values } = discount;
    return { refusal: { code: "DISCOUNT", values }, posReference };
  }
  const kitchen = write.kitchen.changes(written.map(({ snapshot }) => snapshot));
  const belowMenu = priced.flatMap((check, index) => newsOf(check, compared[index] ?? []));
  const itemStates = returnItems(write.kitchen.takenBack, state.stockOf, context.now);
  return changesOf({
    checks: [...written, ...kitchen.checks],
    removals,
    tickets: kitchen.tickets,
    itemStates,
    belowMenu,
  });
}

/** Writes one check of a write. */
function writeCheck(write: Write, content: CheckContent): CheckChange | { refusal: Refusal } {
  const { state, context, kitchen, tables } = write;
  const { posReference, snapshot: input } = content;
  const stored = state.order(posReference);
  const refusal =
    (stored === null ? refusalOfCreation(write, content) : refusalOfChange(context.hub, stored, content.baseVersion)) ??
    kitchen.refusalOf(posReference);
  if (refusal !== null) return { refusal };
  const next = nextSnapshot(
    {
      posReference,
      input,
      stored,
      kitchen,
      tables,
      origins: write.originsOf(posReference),
      merged: write.mergedInto(posReference),
    },
    context,
  );
  if ("refusal" in next) return next;
  const { snapshot } = next;
  const refused =
    stored === null ? refusalOfSeating(write, snapshot) : refusalOfTotal(stored.snapshot, snapshot.totals.total);
  if (refused !== null) return { refusal: refused };
  return { previous: stored, snapshot, kind: stored === null ? "created" : "edited" };
}

/** Returns why a new check cannot seat its guests or use its tables, because these already have one. Null if it can. */
function refusalOfSeating(
  { context, tables, written, shared, isSplit, additionalCheck }: Write,
  snapshot: Snapshot,
): Refusal | null {
  if (additionalCheck || snapshot.orderType !== "dine_in") return null;
  // The parts of a split check have the same guests.
  const beside = written.map((check) => check.snapshot);
  const seated = isSplit ? null : refusalOfParty(context.hub, snapshot, beside);
  return seated ?? refusalOfTables(tables, tablesOf(snapshot), shared);
}

function refusalOfCreation(
  { state, context, isSplit }: Write,
  { posReference, baseVersion }: CheckContent,
): Refusal | null {
  if (baseVersion > 0) return { code: "NO_ORDER", values: { posReference } };
  if (state.wasRemoved(posReference)) return { code: "WAS_REMOVED", values: { posReference } };
  // A part of an open check does not count as new to the back-office.
  const closed = refusalOfNewChecks(isSplit ? { ...context, menu: null } : context);
  if (closed !== null) return closed;
  const lease = refusalOfLease(context.hub, posReference);
  if (lease !== null || !posReference.startsWith(EXTERNAL_REFERENCE_PREFIX)) return lease;
  return { code: "RESERVED_REFERENCE", values: { prefix: EXTERNAL_REFERENCE_PREFIX } };
}

/** Closes a check whose lines moved to others. It is removed, not discarded, so a waiter may do it. */
function closeMerged(
  write: Write,
  { posReference, baseVersion }: CheckContent,
  mergedInto: string[],
): CheckRemoval | { refusal: Refusal } {
  const check = write.state.order(posReference);
  if (check === null) return { refusal: { code: "NO_ORDER", values: { posReference } } };
  const refusal =
    refusalOfChange(write.context.hub, check, baseVersion) ??
    refusalOfRemoval(check.snapshot) ??
    // Rejects it if sent lines were not taken over by another check.
    write.kitchen.refusalOf(posReference);
  return refusal === null ? { check, reason: null, mergedInto } : { refusal };
}

function newsOf(
  { posReference, snapshot, before }: CheckWrite,
  compared: readonly { line: TerminalLine; isNews: boolean }[],
) {
  const names = compared.filter(({ isNews }) => isNews).map(({ line }) => nameOf(line));
  const tableId = (snapshot.tableId === undefined ? before?.tableId : snapshot.tableId) ?? null;
  return names.length === 0 ? [] : [{ posReference, tableId, names }];
}

function nameOf(line: TerminalLine): string {
  return ownName(line) ?? String(line.productId ?? line.id);
}
