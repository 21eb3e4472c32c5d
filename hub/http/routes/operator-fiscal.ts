import { type FailedNumber, HUB_ORIGIN, type NcfSequenceStatus } from "@comanda/protocol";
import type { CreditNotes } from "../../fiscal/credit-notes.ts";
import type { FiscalNumbers } from "../../fiscal/fiscal-numbers.ts";
import type { FiscalRequestRow, FiscalRequests } from "../../fiscal/fiscal-requests.ts";
import type { Refunds } from "../../fiscal/refunds.ts";
import { isoTime } from "../../platform/world.ts";
import type { PlaceOfOrder } from "../../operator/orders/place-of-order.ts";
import type { OperatorHandlers } from "../handlers.ts";

interface Deps {
  ncfSequences: () => NcfSequenceStatus[] | null;
  fiscalNumbers: FiscalNumbers;
  fiscalRequests: FiscalRequests;
  creditNotes: CreditNotes;
  refundService: Pick<Refunds, "give">;
  placeOfOrder: PlaceOfOrder;
}

type FailedRow = Pick<FiscalRequestRow, "posReference" | "type" | "rnc" | "error" | "errorCode" | "changedAt">;

/** Fiscal numbers: what is left, which orders lack theirs, and credit notes. */
export function operatorFiscalRoutes(deps: Deps) {
  const { ncfSequences, fiscalNumbers, fiscalRequests, creditNotes, refundService, placeOfOrder } = deps;

  function presentFailed({ posReference, type, rnc, error, errorCode, changedAt }: FailedRow): FailedNumber {
    const place = placeOfOrder(posReference);
    return { posReference, place, type, rnc, error: error ?? {}, errorCode, failedAt: isoTime(changedAt) };
  }

  return {
    fiscal: () => ({
      sequences: ncfSequences(),
      pending: fiscalRequests.countPending(),
      failed: fiscalNumbers.listFailed().map(presentFailed),
      unclear: fiscalRequests.listUnclear().map(presentFailed),
    }),

    async decideNumber({ params: { posReference }, body, manager }) {
      const { version, snapshot } = await fiscalNumbers.decide(posReference, body, manager.userName);
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
