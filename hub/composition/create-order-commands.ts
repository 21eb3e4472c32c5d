import type { OrderMutation } from "@comanda/protocol";
import { cashMethodsOf, LOOKUP_LENGTH, lookupCode, createPaperContext } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { Stores } from "../stores/create-stores.ts";
import { createTerminalChanges } from "../orders/apply-terminal-change.ts";
import { applyKeptChange } from "../orders/kept-changes/decide-kept-change.ts";
import type { KeptChange } from "../orders/kept-changes/kept-change-store.ts";
import { createCarryOut } from "../orders/mutations/carry-out-mutation.ts";
import { applyPayment } from "../orders/payments/apply-payment.ts";
import { type CreditAnswers, createCreditRules } from "../orders/payments/credit-rules.ts";
import { createPayments } from "../orders/payments/payments.ts";
import type { UnappliedPayment } from "../orders/payments/unapplied-payment-store.ts";
import type { PointOfSale } from "../orders/point-of-sale.ts";
import { type RecoverTickets, recoverTickets } from "../orders/recover-tickets.ts";
import { revertOrder, type RevertRequest } from "../orders/revert-order.ts";
import { createRulebook } from "../orders/rulebook/rulebook.ts";
import { createOrderWriter } from "../orders/store/order-writer.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import type { ReportDeps } from "../till/shift-report.ts";
import { createTillService } from "../till/till-service.ts";

export type OrderCommands = ReturnType<typeof createOrderCommands>;

/** Builds the commands on orders. */
export function createOrderCommands({
  world,
  pos,
  stores,
  config,
  askCredit,
}: {
  world: World;
  pos: PointOfSale;
  stores: Stores;
  config: Pick<HubConfig, "uncheckedCredit" | "tillTolerance" | "timeZone">;
  askCredit: (mutation: OrderMutation) => Promise<CreditAnswers> | null;
}) {
  const { changes, orders, tickets, itemStates, tables, leases, numbering, mutations, people, versionPeople } = stores;
  const { keptChanges, unappliedPayments, paymentIdentities, ncfs, credits } = stores;

  const shiftReports: ReportDeps = {
    money: stores.tillMoney,
    shiftEvents: stores.shiftEvents,
    snapshotOf: (posReference) => orders.shown(posReference)?.snapshot ?? null,
    menu: pos.config,
    cashMethods: () => cashMethodsOf(pos.config()?.paymentMethods ?? null),
    formerCash: pos.formerCash,
    answered(jobId) {
      const { pulse, state } = stores.printJobs.get(jobId) ?? { pulse: "late", state: "dropped" };
      return pulse === "wanted" && (state === "waiting" || state === "printing") ? null : pulse === "sent";
    },
  };
  const rulebook = createRulebook({
    world,
    pos,
    orders,
    tickets,
    itemStates,
    leases,
    numbering,
    unappliedPayments,
  });
  const orderWriter = createOrderWriter({ orders, tickets, itemStates, tables, leases });
  const requireCredit = createCreditRules({ pos, credits, uncheckedCredit: config.uncheckedCredit });
  const fiscal = {
    ncfs,
    isContingency: pos.isContingency,
    newLookup: () => lookupCode(world.random.bytes(LOOKUP_LENGTH)),
  };
  const payments = createPayments({
    rulebook,
    requireCredit,
    orders,
    orderWriter,
    fiscal,
    paymentIdentities,
    unappliedPayments,
  });
  const till = createTillService({
    tills: stores.tills,
    report: shiftReports,
    config: pos.config,
    tolerance: config.tillTolerance,
    spool: stores.spool,
    printers: stores.printers,
    paperContext: () => createPaperContext(pos.config(), config.timeZone),
    audit: stores.audit,
  });
  const carryOut = createCarryOut({
    till,
    pos,
    rulebook,
    orders,
    orderWriter,
    tables,
    payments,
    itemStates,
    versionPeople,
  });
  const recovery = { world, pos, orders, tickets, orderWriter };
  const paying = { pos, rulebook, orders, orderWriter, tables, requireCredit, fiscal, paymentIdentities };

  return {
    till,
    shiftReports,
    rulebook,
    orderWriter,
    recoverTickets: ((tx, snapshot) => recoverTickets(recovery, tx, snapshot)) satisfies RecoverTickets,
    applyTerminalChange: createTerminalChanges({
      world,
      changes,
      mutations,
      keptChanges,
      people,
      payments,
      carryOut,
      askCredit,
    }),
    applyKeptChange: (tx: Tx, change: KeptChange, manager: string) =>
      applyKeptChange({ carryOut, mutations }, tx, change, manager),
    applyPayment: (tx: Tx, payment: UnappliedPayment, manager: string) => applyPayment(paying, tx, payment, manager),
    revertOrder: (tx: Tx, request: RevertRequest) => revertOrder({ rulebook, orders, orderWriter }, tx, request),
  };
}
