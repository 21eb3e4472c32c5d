import { isActive, type Loss } from "@comanda/protocol";
import { paidSoFar } from "@comanda/rules";
import type { OrderStore } from "../../orders/store/order-store.ts";
import { logEvent } from "../../platform/log-event.ts";
import { isoTime, type World } from "../../platform/world.ts";
import type { LossRow } from "../../restores/loss-store.ts";
import { lacksPayments } from "../../restores/paid-alike.ts";

/** Presents a loss beside the current order, and whether that can be replaced. */
export function createLossPresenter(orders: OrderStore, world: Pick<World, "log">): (loss: LossRow) => Loss {
  return present;

  function present(loss: LossRow): Loss {
    const { order, settledAt } = loss;
    const now = readNow(loss.posReference);
    const snapshot = order?.snapshot;
    return {
      lossId: String(loss.id),
      kind: loss.kind,
      posReference: loss.posReference,
      known: {
        version: loss.version,
        status: snapshot?.status ?? null,
        total: snapshot?.totals.total ?? null,
        paid: snapshot === undefined ? null : paidSoFar(snapshot),
        itemCount: snapshot?.lines.filter((line) => line.voided !== true).length ?? null,
        tableId: snapshot?.tableId ?? null,
        ticketNumber: snapshot?.ticketNumber ?? null,
        customerName: snapshot?.customerName ?? null,
        at: isoTime(loss.knownAt),
        by: loss.knownBy,
      },
      present: now,
      mergedInto: loss.mergedInto,
      backOffice: loss.backOffice,
      sources: loss.sources,
      canTakeOver: canTakeOver(loss, now, isReplaceable(loss)) && !orders.wasRemoved(loss.posReference),
      // Losses in state "noted" are not shown on any screen.
      state: loss.state === "noted" ? "open" : loss.state,
      settled: settledAt === null ? null : { at: isoTime(settledAt), by: loss.settledBy ?? "", note: loss.settledNote },
    };
  }

  /** Whether the order was closed on the back-office's word alone, while a terminal knows its payments. */
  function isReplaceable({ kind, posReference }: LossRow): boolean {
    const stored = kind === "order_paid" ? orders.shown(posReference) : null;
    return stored !== null && lacksPayments(stored);
  }

  /** Reads the current order. An unreadable order must not make the whole list fail. */
  function readNow(posReference: string): Loss["present"] {
    try {
      const order = orders.get(posReference);
      if (order === null) return null;
      const { version, snapshot } = order;
      return { version, status: snapshot.status, total: snapshot.totals.total, paid: paidSoFar(snapshot) };
    } catch (error) {
      world.log.error(logEvent("order_unreadable", { err: error, posReference }), "an order cannot be read");
      return null;
    }
  }
}

/** Whether there is something to take over and the order can still be changed. */
function canTakeOver(loss: LossRow, present: Loss["present"], isReplaceable: boolean): boolean {
  if (loss.kind === "kitchen_work") return loss.state === "open" && present !== null && loss.order !== null;
  if (loss.state !== "open" || (present !== null && !isActive(present.status) && !isReplaceable)) return false;
  // Also for an order that this hub lacks: one terminal offered it, but another knows that it was discarded.
  if (loss.kind === "order_discarded") return present !== null || loss.order !== null;
  if (loss.kind === "order_merged") return true;
  return loss.kind !== "closed_by_back_office" && loss.order !== null;
}
