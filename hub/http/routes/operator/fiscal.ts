import {
  type ContingencyReceipt,
  type FailedNumber,
  HUB_ORIGIN,
  type NcfSequenceStatus,
  type OpenReceipt,
} from "@comanda/protocol";
import type { CreditNotes } from "../../../fiscal/credit-notes.ts";
import type { FiscalNumbers } from "../../../fiscal/fiscal-numbers.ts";
import type { ElectronicReceipts } from "../../../fiscal/electronic-receipts.ts";
import type { FiscalRequestRow, OpenReceiptRow } from "../../../fiscal/fiscal-requests.ts";
import type { Refunds } from "../../../fiscal/refunds.ts";
import { requireOrder } from "../../../orders/rulebook/order-guards.ts";
import { isoTime } from "../../../platform/world.ts";
import type { PlaceOfOrder } from "../../../operator/orders/place-of-order.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { OperatorHandlers } from "../../handlers.ts";

interface Deps extends Pick<Stores, "fiscalRequests" | "orders"> {
  ncfSequences: () => NcfSequenceStatus[] | null;
  fiscalNumbers: FiscalNumbers;
  creditNotes: CreditNotes;
  refundService: Pick<Refunds, "give">;
  placeOfOrder: PlaceOfOrder;
  electronicReceipts: ElectronicReceipts;
  isContingency(): boolean;
}

type FailedRow = Pick<FiscalRequestRow, "posReference" | "type" | "rnc" | "error" | "errorCode" | "changedAt">;

/** Fiscal numbers: what is left, which orders lack theirs, and credit notes. */
export function operatorFiscalRoutes(deps: Deps) {
  const { ncfSequences, fiscalNumbers, electronicReceipts, fiscalRequests, creditNotes, refundService } = deps;
  const { placeOfOrder, orders, isContingency } = deps;

  function presentFailed({ posReference, type, rnc, error, errorCode, changedAt }: FailedRow): FailedNumber {
    const place = placeOfOrder(posReference);
    return { posReference, place, type, rnc, error: error ?? {}, errorCode, failedAt: isoTime(changedAt) };
  }

  function presentReceipt(row: OpenReceiptRow): OpenReceipt {
    return { ...presentFailed(row), state: row.state, ncf: row.ncf };
  }

  function presentContingency({ posReference, type, ncf, changedAt }: FiscalRequestRow): ContingencyReceipt {
    return { posReference, place: placeOfOrder(posReference), type, ncf: ncf ?? "", at: isoTime(changedAt) };
  }

  return {
    fiscal: () => ({
      sequences: ncfSequences(),
      pending: fiscalRequests.countPending(),
      failed: fiscalNumbers.listFailed().map(presentFailed),
      unclear: fiscalRequests.listUnclear().map(presentFailed),
      signing: fiscalRequests.countSigning(),
      receipts: fiscalRequests.listOpenReceipts().map(presentReceipt),
      contingency: fiscalRequests.listContingency().map(presentContingency),
      isContingency: isContingency(),
    }),

    async decideNumber({ params: { posReference }, body, manager }) {
      const receipt = electronicReceipts.undecided(posReference);
      if (receipt !== null && (body.action === "retry" || body.action === "dismiss")) {
        await electronicReceipts.decide(receipt, body.action, manager.userName);
      } else await fiscalNumbers.decide(posReference, body, manager.userName);
      const { version, snapshot } = requireOrder(orders, posReference);
      const { ncf, fiscal = { status: "none" as const } } = snapshot;
      return { posReference, version, ...(ncf !== undefined && { ncf }), fiscal };
    },

    creditNote: ({ params: { posReference }, manager, ctx }) =>
      creditNotes.issue(posReference, { ...manager, peer: ctx.ip }),

    async refund({ params: { posReference }, body, manager, ctx }) {
      const by = { person: manager, token: manager.token, approver: null, terminalId: HUB_ORIGIN, peer: ctx.ip };
      return { refund: await refundService.give(posReference, body, by) };
    },
  } satisfies Partial<OperatorHandlers>;
}
