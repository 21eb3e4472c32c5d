import {
  type AuditAction,
  type CreditNoteAnswer,
  type CreditNoteRequest,
  type PosConfig,
  type Refund,
  type RefundLine,
  type RefundPayment,
  type RefundRequest,
  type Said,
  type Snapshot,
} from "@comanda/protocol";
import { chargedQuantity, decideRefund } from "@comanda/rules";
import { BackOfficeError, isAboutTheLine, isUnsent } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { Identities } from "../back-office/identities.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import { relayedRefusal } from "../back-office/relayed-refusal.ts";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { NcfStore } from "../orders/payments/ncf-store.ts";
import { requireOrder } from "../orders/rulebook/order-guards.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { ruleError } from "../orders/rulebook/rule-error.ts";
import { saveVersion } from "../orders/store/save-version.ts";
import type { People } from "../people/people.ts";
import type { Person } from "../people/person.ts";
import type { VersionPeopleStore } from "../people/version-people.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { TillBook } from "../till/till-book.ts";
import type { TillStore } from "../till/till-store.ts";
import type { KeptRefund, RefundStore } from "./refund-store.ts";
import { isSaidByCode } from "./refused-number.ts";

export interface Refunder extends Pick<Person, "userId" | "userName"> {
  permissions: readonly string[];
}

/** Who gives back, and where. */
export interface RefundedBy {
  person: Refunder;
  /** The person's own back-office session; null for somebody with a PIN. */
  token: string | null;
  /** The second person who approves, with the token of that approval. */
  approver: (Refunder & { approval: string }) | null;
  terminalId: string;
  /** The address that the request comes from. */
  peer: string;
}

interface RefundDeps {
  world: World;
  changes: ChangeLog;
  orders: OrderStore;
  ncfs: NcfStore;
  refunds: RefundStore;
  versionPeople: Pick<VersionPeopleStore, "save">;
  people: Pick<People, "noteApproved">;
  client: Pick<BackOfficeClient, "creditNote">;
  identities: Pick<Identities, "useSession">;
  own: OwnSession;
  /** In which drawer the money of a refund lay. */
  tillBook: Pick<TillBook, "refunded">;
  tills: Pick<TillStore, "shift">;
  audit: { record(tx: Tx, userName: string, action: AuditAction, target: string, note?: Said | string | null): void };
  posConfig(): PosConfig | null;
}

export type Refunds = ReturnType<typeof createRefunds>;

/**
 * Gives back what was paid, each time with a credit note of the back-office. The refund is stored before the back-office is
 * asked, under the id that the screen made: a repeat, a crash in between or a lost answer never makes a second note.
 */
export function createRefunds(deps: RefundDeps) {
  const { world, changes, orders, ncfs, refunds, audit, posConfig } = deps;
  /** The questions under way, by refund. */
  const asking = new Map<string, Promise<Refund>>();

  /** What was given back of a check, and what may have been. */
  function ofCheck(posReference: string, snapshot: Pick<Snapshot, "refunds">): Refund[] {
    const kept = refunds.ofOrder(posReference);
    // What came with a check that a terminal brought back after a restore is in no row of this file.
    const others = (snapshot.refunds ?? []).filter(({ refundId }) => kept.every((each) => each.refundId !== refundId));
    return [...others, ...kept];
  }

  /** The refund as it is stored; a new one is, when the rules allow it. Inside a write. */
  function begin(
    tx: Tx,
    posReference: string,
    request: RefundRequest,
    by: RefundedBy,
  ): { kept: KeptRefund; isRepeat: boolean } {
    const { refundId, lines = null, refund, reason } = request;
    const known = refunds.find(refundId);
    if (known !== null) {
      if (known.posReference === posReference && isRepeatOf(known, request)) return { kept: known, isRepeat: true };
      throw new HubError("VALIDATION_ERROR", "refundId: it was used for another refund");
    }
    const { snapshot } = requireOrder(orders, posReference);
    const takesLines = takesLinesOf(posConfig());
    const check = { ...snapshot, refunds: ofCheck(posReference, snapshot) };
    const methods = posConfig()?.paymentMethods ?? null;
    const decided = decideRefund(check, { ...(lines !== null && { lines }), refund }, { methods, takesLines });
    if ("refusal" in decided) throw ruleError(orders.get, decided.refusal, posReference);
    requireOpenShifts(deps.tills, refund);
    const kept: KeptRefund = {
      posReference,
      asksAll: lines === null,
      isInDoubt: false,
      refund: {
        refundId,
        state: "pending",
        at: isoTime(tx.now),
        by: by.person.userName,
        ...(by.approver !== null && { approvedBy: by.approver.userName }),
        terminalId: by.terminalId,
        reason,
        ...decided,
        ...(!takesLines && { isWhole: true as const }),
        refund,
      },
    };
    refunds.save(tx, kept);
    if (by.approver !== null) deps.people.noteApproved(by.approver.approval, refundId);
    return { kept, isRepeat: false };
  }

  async function ask(kept: KeptRefund, by: RefundedBy, isRepeat: boolean): Promise<Refund> {
    try {
      const note = await call(kept, by);
      return await changes.write((tx) =>
        finish(tx, kept, { ncf: note.ncf, total: note.total, modifies: note.modifies }),
      );
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      return followFailure(kept, by, isRepeat, error);
    }
  }

  /** Asks in the name of the person who may refund: with their own session, else by the hub's word for them. */
  function call({ posReference, refund }: KeptRefund, by: RefundedBy): Promise<CreditNoteAnswer> {
    const { client, identities, own } = deps;
    const { refundId, lines, amount, reason, refund: payments, isWhole } = refund;
    const request: CreditNoteRequest =
      isWhole === true
        ? { pos_reference: posReference }
        : {
            pos_reference: posReference,
            lines,
            refundId,
            total: amount,
            refund: payments.map(({ methodId, amount: back }) => ({ methodId, amount: back })),
            ...(reason !== null && { reason }),
          };
    const { person, token, peer } = by;
    if (token !== null && mayRefund(person)) {
      return identities.useSession(token, (newest) => client.creditNote(newest, request, { lane: "known", peer }));
    }
    const onBehalfOf = refunderOf(by).userId;
    return own.use((newest) => client.creditNote(newest, { ...request, onBehalfOf }, null));
  }

  /** What becomes of a refund whose question was not answered with a note. */
  async function followFailure(
    kept: KeptRefund,
    by: RefundedBy,
    isRepeat: boolean,
    error: BackOfficeError,
  ): Promise<Refund> {
    const isRefused = isSaidByCode(error);
    const isNotAsked = isAboutTheLine(error) || isUnsent(error.reason) || error.reason === "busy";
    const refusal = explain(kept, by, error);
    if (!isRefused && !isNotAsked) return changes.write((tx) => doubt(tx, kept));
    if (!isRepeat) {
      await changes.write((tx) => refunds.remove(tx, kept.refund.refundId));
      throw refusal;
    }
    // What became of the first question is as open as before.
    if (isNotAsked || error.errorCode === "FORBIDDEN") throw refusal;
    if (error.errorCode === "ALREADY_CREDITED" && kept.refund.isWhole === true) {
      // The note that was asked for first: a back-office that makes one for each check tells no number any more.
      return changes.write((tx) => finish(tx, kept, { ncf: null, total: undefined, modifies: undefined }));
    }
    await changes.write((tx) => {
      refunds.remove(tx, kept.refund.refundId);
      saveRefunds(tx, kept, (others) => others);
    });
    throw refusal;
  }

  /** A repeat, or somebody else, has settled it meanwhile: what was stored then stands. */
  function finish(
    tx: Tx,
    kept: KeptRefund,
    note: { ncf: string | null; total: number | undefined; modifies: string | undefined },
  ): Refund {
    const { posReference, refund: asked } = kept;
    const { ncf, total, modifies } = note;
    const refund: Refund = {
      ...asked,
      state: "made",
      madeAt: isoTime(tx.now),
      ncf,
      ...(modifies !== undefined && { modifies }),
      ...(total !== undefined && { total }),
    };
    refunds.save(tx, { ...kept, refund, isInDoubt: false });
    deps.tillBook.refunded(tx, posReference, refund);
    if (ncf !== null) ncfs.keep(tx, ncf, posReference);
    saveRefunds(tx, kept, (others) => [...others, refund]);
    audit.record(tx, asked.by, "order.credit_note", posReference, ncf);
    const detail = { posReference, userName: asked.by, amount: refund.amount, ...(ncf !== null && { text: ncf }) };
    tx.notify(["orders"], { kind: "credit_note_made", level: "info", detail });
    return refund;
  }

  /** The back-office may have made the note: shown so until it is asked again. */
  function doubt(tx: Tx, kept: KeptRefund): Refund {
    if (kept.isInDoubt) return kept.refund;
    refunds.save(tx, { ...kept, isInDoubt: true });
    saveRefunds(tx, kept, (others) => [...others, kept.refund]);
    world.log.warn({ posReference: kept.posReference }, "nobody answered whether a credit note was made");
    return kept.refund;
  }

  /** The check with what was given back of it, as a version of its own; the kitchen and its way to accounting stay. */
  function saveRefunds(
    tx: Tx,
    { posReference, refund: { refundId, by, approvedBy, terminalId } }: KeptRefund,
    next: (others: Refund[]) => Refund[],
  ): void {
    const stored = orders.getWithForward(posReference);
    // A note can be asked for by the reference alone, of an order that only the back-office knows.
    if (stored === null) return;
    const { refunds: before = [], ...snapshot } = stored.snapshot;
    const now = next(before.filter((each) => each.refundId !== refundId));
    const { order } = saveVersion(
      orders,
      tx,
      { terminalId, userName: by },
      {
        posReference,
        snapshot: { ...snapshot, ...(now.length > 0 && { refunds: now }) },
        kind: "refunded",
        previous: stored,
        ...(stored.forward && { forward: stored.forward }),
      },
    );
    if (approvedBy === undefined) return;
    deps.versionPeople.save(posReference, { version: order.version, userName: by, approvedBy });
  }

  function explain({ posReference }: KeptRefund, by: RefundedBy, error: BackOfficeError): HubError {
    const isPaid = orders.get(posReference)?.snapshot.status === "paid";
    if (isPaid && error.errorCode === "NOT_FOUND") {
      return new HubError("NOT_FOUND", `the back-office does not have order ${posReference} yet; try again later`);
    }
    const isOwn = by.token === null || !mayRefund(by.person);
    if (isOwn && isAboutTheLine(error)) {
      return new HubError("UPSTREAM_UNAVAILABLE", "the hub's own account cannot sign in at the back-office");
    }
    return relayedRefusal(error);
  }

  return {
    /**
     * Gives back what a person asks for. Answers the refund, `pending` where nobody knows whether its note was made. Throws
     * FORBIDDEN where nobody who may has a hand in it, what the rules refuse, and the back-office's refusals.
     */
    async give(posReference: string, request: RefundRequest, by: RefundedBy): Promise<Refund> {
      requireRefunder(by, posConfig());
      const { kept, isRepeat } = await changes.write((tx) => begin(tx, posReference, request, by));
      const { refund } = kept;
      if (refund.state === "made") return refund;
      const attempt =
        asking.get(refund.refundId) ?? ask(kept, by, isRepeat).finally(() => asking.delete(refund.refundId));
      asking.set(refund.refundId, attempt);
      return attempt;
    },

    /** Keeps a note that was asked for without saying how the money goes back: of the whole check, as the back-office makes it. */
    record(
      posReference: string,
      { userName, terminalId }: { userName: string; terminalId: string },
      note: CreditNoteAnswer,
    ) {
      return changes.write((tx) => {
        const lines = note.lines.flatMap(({ id, ...line }) => {
          const quantity = chargedQuantity(line);
          return id === undefined || quantity <= 0 ? [] : [{ lineId: String(id), quantity }];
        });
        const refund: Refund = {
          refundId: `note-${note.ncf}`,
          state: "pending",
          at: isoTime(tx.now),
          by: userName,
          terminalId,
          reason: null,
          lines,
          isWhole: true,
          amount: note.total,
          refund: [],
        };
        const kept = { posReference, refund, asksAll: true, isInDoubt: false };
        finish(tx, kept, { ncf: note.ncf, total: note.total, modifies: note.modifies });
      });
    },

    /** Refunds that were under way when the hub ended are in doubt from now on. */
    async start(): Promise<void> {
      const unsettled = refunds.unsettled();
      if (unsettled.length === 0) return;
      await changes.write((tx) => {
        for (const kept of unsettled) doubt(tx, kept);
      });
    },
  };
}

/** Money leaves a drawer whose shift is open. */
function requireOpenShifts(tills: Pick<TillStore, "shift">, payments: readonly RefundPayment[]): void {
  for (const { shiftId } of payments) {
    if (shiftId === undefined || tills.shift(shiftId)?.state === "open") continue;
    throw new HubError("SHIFT_CLOSED", `refund: shift ${shiftId} is not open`);
  }
}

/** Whether a request asks for what was asked for before: the lines by name, or once more for all that was left then. */
function isRepeatOf({ refund, asksAll }: KeptRefund, { lines, refund: payments }: RefundRequest): boolean {
  const isSamePayment = (one: RefundPayment, other: RefundPayment | undefined) =>
    String(one.methodId) === String(other?.methodId) && one.amount === other?.amount;
  if (payments.length !== refund.refund.length) return false;
  if (!payments.every((each, index) => isSamePayment(each, refund.refund[index]))) return false;
  if (lines === undefined) return asksAll;
  const isSameLine = ({ lineId, quantity }: RefundLine) =>
    refund.lines.some((each) => each.lineId === lineId && each.quantity === quantity);
  return lines.length === refund.lines.length && lines.every(isSameLine);
}

/** Whether the back-office makes credit notes for some lines of a check. */
export function takesLinesOf(config: Pick<PosConfig, "creditNotes"> | null): boolean {
  return config?.creditNotes?.lines === true;
}

/** Whether the back-office lets somebody give back what was paid. */
export function mayRefund({ permissions }: Pick<Refunder, "permissions">): boolean {
  return permissions.includes("refund");
}

/** In whose name the note is made. */
function refunderOf({ person, approver }: RefundedBy): Refunder {
  return mayRefund(person) || approver === null ? person : approver;
}

function requireRefunder(by: RefundedBy, config: Pick<PosConfig, "creditNotes"> | null): void {
  const refunder = refunderOf(by);
  if (!mayRefund(refunder)) throw new HubError("FORBIDDEN", `${refunder.userName} may not make credit notes`);
  const isOwnSession = by.token !== null && refunder === by.person;
  if (isOwnSession || config?.creditNotes?.onBehalfOf === true) return;
  const why = `the back-office makes credit notes in a person's own session only: ${refunder.userName} has to sign in with the password`;
  throw new HubError("CONFIRMATION_NEEDED", why);
}
