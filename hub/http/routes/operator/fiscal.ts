import {
  type ContingencyReceipt,
  type FailedNumber,
  HUB_ORIGIN,
  type NcfSequenceStatus,
  type OpenReceipt,
  type Snapshot,
} from "@comanda/protocol";
import { typeOfNumber } from "@comanda/rules";
import type { FiscalNumbers } from "../../../fiscal/fiscal-numbers.ts";
import type { ElectronicReceipts } from "../../../fiscal/electronic-receipts.ts";
import type { FiscalRequestRow, OpenReceiptRow } from "../../../fiscal/fiscal-requests.ts";
import type { Refunds } from "../../../fiscal/refunds.ts";
import { isoTime } from "../../../platform/world.ts";
import type { PlaceOfOrder } from "../../../operator/orders/place-of-order.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { OperatorHandlers } from "../../handlers.ts";

interface Deps extends Pick<Stores, "fiscalRequests" | "orders"> {
  ncfSequences: () => NcfSequenceStatus[] | null;
  fiscalNumbers: FiscalNumbers;
  refundService: Pick<Refunds, "give" | "listInContingency" | "settleContingency">;
  placeOfOrder: PlaceOfOrder;
  electronicReceipts: ElectronicReceipts;
  isContingency(): boolean;
}

type FailedRow = Pick<FiscalRequestRow, "posReference" | "type" | "rnc" | "error" | "errorCode" | "changedAt">;

/** Routes for fiscal numbers: what is left, which orders lack theirs, and refunds. */
export function operatorFiscalRoutes(deps: Deps) {
  const { ncfSequences, fiscalNumbers, electronicReceipts, fiscalRequests, refundService } = deps;
  const { placeOfOrder, orders, isContingency } = deps;

  function presentFailed({ posReference, type, rnc, error, errorCode, changedAt }: FailedRow): FailedNumber {
    const place = placeOfOrder(posReference);
    const { rnc: given, name } = orders.get(posReference)?.snapshot.fiscal ?? {};
    const buyer = { rnc: rnc ?? given ?? null, name: name ?? null };
    return { posReference, place, type, ...buyer, error: error ?? {}, errorCode, failedAt: isoTime(changedAt) };
  }

  function presentReceipt(row: OpenReceiptRow): OpenReceipt {
    return { ...presentFailed(row), state: row.state, ncf: row.ncf };
  }

  return {
    fiscal: () => ({
      sequences: ncfSequences(),
      pending: fiscalRequests.countPending(),
      failed: fiscalNumbers.listFailed().map(presentFailed),
      unclear: fiscalRequests.listUnclear().map(presentFailed),
      signing: fiscalRequests.countSigning(),
      receipts: fiscalRequests.listOpenReceipts().map(presentReceipt),
      contingency: listContingency(deps),
      isContingency: isContingency(),
    }),

    async decideNumber({ params: { posReference }, body, manager }) {
      const { action, ncf: named } = body;
      const row = electronicReceipts.following(posReference);
      const receipt = named === undefined || named === row?.ncf ? row : null;
      // A number on paper is final: only an electronic one can be requested again.
      const isElectronic = receipt?.state !== "contingency";
      if (receipt !== null && (action === "dismiss" || (action === "retry" && isElectronic))) {
        await electronicReceipts.decide(receipt, action, manager.userName);
      } else {
        const isNote =
          action === "dismiss" && (await refundService.settleContingency(posReference, named, manager.userName));
        if (!isNote) await fiscalNumbers.decide(posReference, body, manager.userName);
      }
      // The check of a credit note may be missing after a restore.
      const order = orders.get(posReference);
      const { ncf, fiscal = { status: "none" } }: Pick<Snapshot, "ncf" | "fiscal"> = order?.snapshot ?? {};
      return { posReference, version: order?.version ?? 0, ...(ncf !== undefined && { ncf }), fiscal };
    },

    async refund({ params: { posReference }, body, manager, ctx }) {
      const by = { person: manager, token: manager.token, approver: null, terminalId: HUB_ORIGIN, peer: ctx.ip };
      return { refund: await refundService.give(posReference, body, by) };
    },
  } satisfies Partial<OperatorHandlers>;
}

/** Lists checks and credit notes with a number on paper, oldest first. */
function listContingency({ fiscalRequests, refundService, placeOfOrder }: Deps): ContingencyReceipt[] {
  const checks = fiscalRequests.listContingency().map(({ posReference, type, ncf, changedAt }) => {
    return { posReference, place: placeOfOrder(posReference), type, ncf: ncf ?? "", at: isoTime(changedAt) };
  });
  const notes = refundService.listInContingency().map(({ posReference, refund }) => {
    const { at, madeAt = at } = refund;
    const ncf = refund.ncf ?? "";
    return {
      posReference,
      place: placeOfOrder(posReference),
      type: typeOfNumber(ncf),
      ncf,
      at: madeAt,
    };
  });
  return [...checks, ...notes].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
