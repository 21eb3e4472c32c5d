import { isActive, type StoredOrder, type TerminalMessageOf } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { sum, toCents } from "../platform/money.ts";
import { isoTime } from "../platform/world.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { locked, requireCashier, requireCurrent, requireNoOtherLease, requireOrder } from "./order-guards.ts";
import { saveVersion, written, type Written } from "./save-version.ts";
import { followOrder } from "./table-state.ts";

type Pay = TerminalMessageOf<"ORDER_PAY">;

/** Refusals after which the money in the drawer is still a fact. */
const moneyTakenCodes: ReadonlySet<string> = new Set([
  "CONFLICT",
  "LEASE_HELD",
  "ORDER_LOCKED",
  "NO_ACTIVE_SESSION",
  "NOT_FOUND",
  "MUTATION_TOO_OLD",
  "ACTOR_REFUSED",
]);

/** Finalizes a check: paid and its table freed. A recorder queues it for the back-office. */
export function payOrder(deps: OrderDeps, tx: Tx, pay: Pay, writer: Writer): Written {
  requireCashier(writer, "take payment");
  if (deps.unappliedPayments.isSettled(pay.mutationId)) {
    throw new HubError("ORDER_LOCKED", "this payment was settled by a manager and is not applied any more");
  }
  const stored = requireOrder(deps, pay.posReference);
  if (!isActive(stored.snapshot.status)) throw locked(stored);
  requireNoOtherLease(deps, pay.posReference, writer);
  if (deps.session()?.active === false) {
    throw new HubError("NO_ACTIVE_SESSION", "the point-of-sale session is closed");
  }
  requireCurrent(deps, stored, pay.baseVersion, writer.terminalId, true);
  requireCovered(pay, stored);

  const change = saveVersion(deps, tx, writer, {
    posReference: pay.posReference,
    snapshot: {
      ...stored.snapshot,
      status: "paid",
      payments: pay.payments,
      ...(pay.ncf !== undefined && { ncf: pay.ncf }),
      ...(pay.fiscal !== undefined && { fiscal: { ...pay.fiscal, status: "none" as const } }),
      paidAt: isoTime(tx.now),
      paidBy: writer.userName,
    },
    kind: "paid",
    previous: stored,
    forward: { state: "pending" },
  });
  followOrder(deps, tx, stored.tableId, pay.posReference, writer.terminalId);
  deps.leases.end(tx, pay.posReference, writer.terminalId);
  deps.unappliedPayments.settleMutation(tx, pay.mutationId, writer.userName);
  return written(change);
}

/**
 * Keeps the money of a payment that was refused, in the commit that refuses it. False for a payment that is malformed or
 * not allowed: that was never taken.
 */
export function keepRefusedPayment(deps: OrderDeps, tx: Tx, pay: Pay, writer: Writer, refusal: HubError): boolean {
  // Who took the money is what an ACTOR_REFUSED leaves open, so the signed-in user's role says nothing.
  const isAllowed = writer.role !== "waiter" || refusal.code === "ACTOR_REFUSED";
  if (!isAllowed || !moneyTakenCodes.has(refusal.code)) return false;
  if (!deps.unappliedPayments.save(tx, pay, writer, refusal)) return true;
  const amount = sum(pay.payments.map((payment) => payment.amount));
  const detail = { posReference: pay.posReference, userName: writer.userName, amount, text: refusal.message };
  tx.notify(["payments"], { kind: "payment_unapplied", level: "bad", detail });
  return true;
}

function requireCovered(pay: Pay, stored: StoredOrder): void {
  const paid = sum(pay.payments.map((payment) => payment.amount));
  const { total } = stored.snapshot.totals;
  if (toCents(paid) >= toCents(total)) return;
  throw new HubError("VALIDATION_ERROR", `payments: ${paid} does not cover the total of ${total}`);
}
