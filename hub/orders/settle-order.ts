import type { Snapshot, StoredOrder } from "@comanda/protocol";
import { settledCheck, type Settlement, tablesOf } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import type { FiscalPart } from "./fiscal-rules.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import { followOrder } from "./table-state.ts";

/** What a terminal is told of a payment. */
export interface WrittenPayment extends Written {
  status: Snapshot["status"];
}

/**
 * A payment that fitted until something else changed, the check or the back-office's methods: refused as the others, but
 * kept, since the money was taken.
 */
export class OutdatedPayment extends HubError<"VALIDATION_ERROR"> {
  constructor(message: string) {
    super("VALIDATION_ERROR", message);
  }
}

interface PaidSettlement extends Settlement {
  /** Who took the last payment. */
  paidBy: string;
  fiscal: FiscalPart;
}

/** Makes a covered check `paid`: its table is freed, its lease ends. A recorder queues it for the back-office. */
export function settleOrder(
  deps: OrderDeps,
  tx: Tx,
  stored: StoredOrder,
  writer: Writer,
  { tenders, payments, paymentId, paidBy, fiscal }: PaidSettlement,
): WrittenPayment {
  const { posReference } = stored;
  const change = saveVersion(deps, tx, writer, {
    posReference,
    snapshot: {
      ...settledCheck(stored.snapshot, { tenders, payments, paymentId }),
      ...fiscal,
      paidAt: isoTime(tx.now),
      paidBy,
    },
    kind: "paid",
    previous: stored,
    forward: { state: "pending" },
  });
  followOrder(deps, tx, tablesOf(stored.snapshot), posReference, writer.terminalId);
  deps.leases.end(tx, posReference, writer.terminalId);
  return { ...written(change), status: "paid" };
}
