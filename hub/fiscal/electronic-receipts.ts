import {
  type AuditAction,
  DAY_MS,
  HUB_ORIGIN,
  said,
  saidInEnglish,
  type Said,
  type Snapshot,
  type StoredOrder,
} from "@comanda/protocol";
import { isElectronic, OTHER_NUMBER, receiptStanding, withReceipt } from "@comanda/rules";
import { BackOfficeError, isAboutTheLine } from "../back-office/back-office-error.ts";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { ForwardEvent } from "../back-office/pos-calls.ts";
import type { Listener, Recorder, Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Memory } from "../db/remembered.ts";
import type { NcfStore } from "../orders/payments/ncf-store.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import { saveVersion } from "../orders/store/save-version.ts";
import { createLoop } from "../platform/loop.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";
import { type FiscalRequestRow, type FiscalRequests, isReceipt, type ReceiptRow } from "./fiscal-requests.ts";
import { readReceipt } from "./read-receipt.ts";

/** The first pause before a receipt is asked for again; each one is twice as long as the one before. */
const FIRST_WAIT_MS = 500;
/** So long a receipt is asked for; then a manager decides. */
const ASKED_FOR_MS = DAY_MS;
const AT_ONCE = 4;
/** How long the answer to a manager waits for what was asked again. */
const ANSWER_WAIT_MS = 2_000;

/** Remembers that the back-office knows of electronic receipts. */
const MEMORY = "knows_receipts";

type FiscalPart = Pick<StoredOrder["snapshot"], "ncf" | "fiscal">;
type StoredWithForward = NonNullable<ReturnType<OrderStore["getWithForward"]>>;

interface ReceiptDeps {
  world: World;
  memory: Memory;
  changes: ChangeLog;
  orders: OrderStore;
  ncfs: NcfStore;
  fiscalRequests: FiscalRequests;
  client: Pick<BackOfficeClient, "finalize">;
  own: OwnSession;
  audit: { record(tx: Tx, userName: string, action: AuditAction, target: string, note?: Said | string | null): void };
  /** The order as it was sent to the back-office; null where that is not kept any more. */
  forwardedEvent(posReference: string): ForwardEvent | null;
  /** The longest pause between two questions for one receipt. */
  pollMs: number;
}

export type ElectronicReceipts = ReturnType<typeof createElectronicReceipts>;

/** Keeps what has to follow for the receipt of an order that the back-office has, in the commit that makes it so. */
export function receiptRecorder(requests: FiscalRequests, pollMs: number): Recorder {
  return (change, tx) => {
    if (change.kind !== "order.stored" || (change.did !== "closed" && change.did !== "signed")) return;
    noteReceipt(requests, tx, change.order, Math.min(FIRST_WAIT_MS, pollMs));
  };
}

/** Brings the row of an order's receipt in step with the order. */
export function noteReceipt(requests: FiscalRequests, tx: Tx, order: StoredOrder, waitMs = 0): void {
  const { posReference, snapshot } = order;
  const { ncf = null } = snapshot;
  const [standing, row] = [receiptStanding(snapshot), requests.get(posReference)];
  if (row?.state === standing || (row !== null && !isReceipt(row))) return;
  if (standing === null) {
    if (row !== null && row.state !== "contingency") requests.remove(tx, posReference);
    return tx.notify(["fiscal"]);
  }
  const type = ncf?.slice(0, 3) ?? "";
  if (standing === "signing" || standing === "contingency") {
    requests.noteReceipt(tx, { posReference, state: standing, type, ncf }, tx.now + waitMs);
    return tx.notify(["fiscal"]);
  }
  const error = standing === "rejected" ? rejection(snapshot) : conflict(snapshot);
  const errorCode = standing === "conflict" ? OTHER_NUMBER : null;
  requests.noteReceipt(tx, { posReference, state: standing, type, ncf, error, errorCode });
  tellManager(tx, posReference, error);
}

function rejection({ fiscal }: Snapshot): Said {
  const words = fiscal?.ecf?.error;
  return { ...said("receipt_rejected"), ...(words !== undefined && { words }) };
}

function conflict({ ncf, fiscal }: Snapshot): Said {
  const other = fiscal?.ecf?.ncf;
  if (ncf === undefined || other === undefined || other === ncf) return { words: fiscal?.error ?? "" };
  return said("receipt_of_other_number", { ncf: other, own: ncf });
}

function tellManager(tx: Tx, posReference: string, why: Said): void {
  tx.notify(["fiscal"], { kind: "fiscal_receipt", level: "bad", detail: { posReference, said: why } });
}

/**
 * Takes what the back-office answers for the electronic receipts of paid orders, and asks again for what it does not sign at
 * once. It signs, the hub carries: nothing that is wrong with an answer keeps an order from being done.
 */
export function createElectronicReceipts(deps: ReceiptDeps) {
  const { world, memory, changes, orders, ncfs, fiscalRequests: requests, client, own, audit, pollMs } = deps;
  /** Whether this back-office has ever said anything of a receipt: one that knows of none is asked for the newest only. */
  let isKnowing = memory.read<boolean>(MEMORY) !== null;
  let isStopping = false;
  let isLineDown = false;
  let wantsAll = false;
  const loop = createLoop(world, "electronic receipts", pollMs, askDue, untilDueMs);

  /** The order's number and its state with what was answered; null where nothing was. To be stored by the caller. */
  function read(tx: Tx, { posReference, snapshot }: StoredOrder, answered: unknown): FiscalPart | null {
    const receipt = readReceipt(answered, snapshot.ncf);
    if (receipt === null) return null;
    if (!isKnowing && isElectronic(receipt.ncf)) {
      isKnowing = true;
      memory.write(MEMORY, true, tx.now);
    }
    return withReceipt(snapshot, receipt, whyNotTaken(posReference, snapshot.ncf, receipt.ncf));
  }

  function whyNotTaken(posReference: string, own: string | undefined, ncf: string): string | null {
    if (own !== undefined && own !== ncf) return saidInEnglish(said("receipt_of_other_number", { ncf, own }));
    const holder = ncfs.holderOf(ncf);
    if (holder === null || holder === posReference) return null;
    return saidInEnglish(said("number_of_another_order", { ncf, posReference: holder }));
  }

  function untilDueMs(): number {
    const at = isLineDown || !own.hasCredentials ? null : requests.nextReceiptAt(!isKnowing);
    return at === null ? pollMs : at - world.clock.now();
  }

  async function askDue(): Promise<void> {
    if (!own.hasCredentials) return;
    if (wantsAll) await changes.write((tx) => requests.askNow(tx));
    wantsAll = false;
    isLineDown = false;
    const due = requests.dueReceipts(world.clock.now(), pollMs, !isKnowing);
    for (let next = 0; next < due.length && !isStopping && !isLineDown; next += AT_ONCE) {
      const asked = await Promise.all(due.slice(next, next + AT_ONCE).map(ask));
      isLineDown = asked.includes("no_line");
    }
    if (!isKnowing) await changes.write((tx) => requests.forgetReceipts(tx, tx.now - ASKED_FOR_MS));
  }

  /** Asks once; `no_line` where nothing could be asked at all. */
  async function ask(posReference: string): Promise<"answered" | "no_line"> {
    const event = deps.forwardedEvent(posReference);
    const answer = event === null ? {} : await finalizeAgain(event);
    await changes.write((tx) => settle(tx, posReference, answer));
    return answer === "no_line" ? "no_line" : "answered";
  }

  /** The answer's receipt; undefined where it has none. */
  async function finalizeAgain(event: ForwardEvent): Promise<{ fiscal?: unknown } | "no_line"> {
    try {
      return await own.use((token) => client.finalize(token, event));
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      return isAboutTheLine(error) ? "no_line" : {};
    }
  }

  function settle(tx: Tx, posReference: string, answer: { fiscal?: unknown } | "no_line"): void {
    const stored = orders.getWithForward(posReference);
    const row = requests.get(posReference);
    if (row?.state !== "signing") return;
    if (stored === null) return requests.remove(tx, posReference);
    const part = answer === "no_line" ? null : read(tx, stored, answer.fiscal);
    if (part !== null) noteReceipt(requests, tx, takeLate(tx, stored, part));
    const left = requests.get(posReference);
    if (left?.state !== "signing") return;
    if (tx.now - left.changedAt >= ASKED_FOR_MS) return giveUp(tx, row);
    const waitMs = Math.min(pollMs, FIRST_WAIT_MS * 2 ** Math.min(left.attempts, 20));
    requests.askLater(tx, posReference, tx.now + waitMs);
  }

  /** An answer to a later question: a version of the hub's own where it says something new. */
  function takeLate(tx: Tx, stored: StoredWithForward, part: FiscalPart): StoredOrder {
    const { posReference, snapshot, forward } = stored;
    if (JSON.stringify(part) === JSON.stringify({ ncf: snapshot.ncf, fiscal: snapshot.fiscal })) return stored;
    keepNumber(tx, posReference, part);
    const hub = { terminalId: HUB_ORIGIN, userName: null };
    return saveVersion(orders, tx, hub, {
      posReference,
      snapshot: { ...snapshot, ...part },
      kind: "signed",
      previous: stored,
      ...(forward && { forward }),
    }).order;
  }

  function keepNumber(tx: Tx, posReference: string, { ncf }: FiscalPart): void {
    if (ncf !== undefined) ncfs.keep(tx, ncf, posReference);
  }

  function giveUp(tx: Tx, row: FiscalRequestRow): void {
    // One that has never heard of electronic receipts will not sign this one either.
    if (!isKnowing) return requests.remove(tx, row.posReference);
    const error = said("receipt_unsigned");
    requests.noteReceipt(tx, { ...row, state: "unsigned", error });
    tellManager(tx, row.posReference, error);
  }

  return {
    start: loop.start,
    /** The back-office answers again: everything that waits is due. */
    wake(): void {
      wantsAll = true;
      loop.wake();
    },
    async stop(): Promise<void> {
      isStopping = true;
      await loop.stop();
    },

    /** A receipt that is still to come is asked for in its time. */
    follow: ((group) => {
      if (group.some((change) => change.kind === "order.stored" && change.did === "closed")) loop.reschedule();
    }) satisfies Listener,

    /** What changes of an order that the back-office has confirmed. */
    ofAnswer(tx: Tx, order: StoredOrder, answered: unknown): FiscalPart {
      const part = read(tx, order, answered) ?? {};
      keepNumber(tx, order.posReference, part);
      return part;
    },

    /** Null where the order's receipt waits for no decision. */
    undecided(posReference: string): ReceiptRow | null {
      const row = requests.get(posReference);
      return row !== null && isReceipt(row) ? row : null;
    },

    /** A manager has the receipt asked for again, or has dealt with it outside. */
    async decide(
      { posReference, type, ncf }: ReceiptRow,
      action: "retry" | "dismiss",
      userName: string,
    ): Promise<void> {
      await changes.write((tx) => {
        audit.record(tx, userName, action === "retry" ? "fiscal.retry" : "fiscal.dismiss", posReference, ncf);
        // It is asked for below: the loop comes later.
        const next = tx.now + FIRST_WAIT_MS;
        if (action === "retry") requests.noteReceipt(tx, { posReference, state: "signing", type, ncf }, next);
        else requests.remove(tx, posReference);
        tx.notify(["fiscal"]);
      });
      if (action === "retry") await withTimeout(world, ANSWER_WAIT_MS, ask(posReference));
      loop.reschedule();
    },
  };
}
