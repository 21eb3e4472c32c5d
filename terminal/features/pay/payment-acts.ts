import type { FiscalRequest } from "@comanda/protocol";
import { fromCents } from "@comanda/rules";
import type { Mutation, OrderCommands, Terminal } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { sendPaid } from "../../checks/send-check.ts";
import { discardRefused } from "../../lib/page/discard-refused.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { attempt } from "../../lib/page/show-refusal.ts";
import { useIsCashier } from "../../people/role.ts";
import { askForApproval } from "../../people/ask-for-approval.ts";
import { tenderOf, type PaymentToTake } from "./tender.ts";

/** The acts on a check's money. Each asks for approval in place if the user is no cashier, and returns whether it was done. */
export function usePaymentActs(posReference: string) {
  const { t, format } = useTranslation("pay");
  const terminal = useTerminal();
  const isCashier = useIsCashier();

  async function act(what: string, run: (commands: OrderCommands) => Mutation): Promise<Mutation | null> {
    const commands = isCashier ? terminal : await askForApproval(what);
    return commands === null ? null : attempt(() => run(commands));
  }

  return {
    async take(payment: PaymentToTake): Promise<boolean> {
      const amount = format.money(fromCents(payment.money.amount + payment.money.tip));
      const what = t("approveTake", { amount, method: payment.method.name });
      const mutation = await act(what, (commands) => commands.tender(posReference, tenderOf(payment)));
      if (mutation === null) return false;
      sendPaid(terminal, posReference);
      const refused = t("creditRefused", { amount, name: payment.customer?.name ?? "" });
      void followCredit(terminal, mutation, refused);
      return true;
    },

    async takeBack(tenderId: string, amount: number, reason: string): Promise<boolean> {
      const what = t("approveTakeBack", { amount: format.money(amount) });
      return (await act(what, (commands) => commands.voidTender(tenderId, reason))) !== null;
    },

    /** Closes a check with nothing due. */
    async close(fiscal: FiscalRequest | undefined): Promise<boolean> {
      const payment = { payments: [], ...(fiscal !== undefined && { fiscal }) };
      if ((await act(t("approveClose"), (commands) => commands.pay(posReference, payment))) === null) return false;
      sendPaid(terminal, posReference);
      return true;
    },
  };
}

/** Discards the conflict of a refused credit, which moved no money. The guest pays in another way. */
async function followCredit(terminal: Terminal, { outcome }: Mutation, text: string): Promise<void> {
  const settled = await outcome;
  if (settled.state !== "refused" || settled.conflict.refusal.errorCode !== "CREDIT_REFUSED") return;
  showNotice({ text });
  await discardRefused(terminal, settled.conflict.id);
}
