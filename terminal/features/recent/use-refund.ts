import type { Refund } from "@comanda/protocol";
import { HubUnreachableError, type RefundCommands, type RefundToMake, TerminalRefusal } from "@comanda/terminal";
import { useState } from "react";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import { askForApproval } from "../../people/ask-for-approval.ts";
import { isAboutRefund, refundRight, type RefundRight } from "./refund-rights.ts";

export type RefundStep =
  | { name: "choose" }
  /** A second person is asked for their PIN. */
  | { name: "approving" }
  | { name: "asking" }
  | { name: "refused"; code: string }
  /** The result is unknown: the same request has to be repeated. `code` is why a repeat was refused. */
  | { name: "unanswered"; request: RefundToMake; code?: string }
  /** Made, or `pending` if the back-office did not answer. */
  | { name: "answered"; refund: Refund; request: RefundToMake };

/**
 * State of a refund, made with a second person's approval if needed. A refund among the check's `refunds` counts as made, even
 * if its answer has not arrived.
 */
export function useRefund(refunds: readonly Refund[]): {
  right: RefundRight;
  step: RefundStep;
  /** Makes the refund; `what` describes it to the approver. */
  give: (request: Omit<RefundToMake, "refundId"> & { refundId?: string }, what: string) => Promise<void>;
  back: () => void;
} {
  const terminal = useTerminal();
  const menu = useMenu();
  const right = refundRight(useLive("signedIn"), useLive("actor"), menu?.menu.creditNotes);
  const [step, setStep] = useState<RefundStep>({ name: "choose" });
  const request = "request" in step ? step.request : null;
  const made = refunds.find(({ refundId, state }) => refundId === request?.refundId && state === "made");

  return {
    right,
    step: request === null || made === undefined ? step : { name: "answered", refund: made, request },
    back: () => setStep({ name: "choose" }),
    async give(input, what) {
      const request: RefundToMake = { ...input, refundId: input.refundId ?? terminal.newRefundId() };
      const isRepeat = input.refundId !== undefined;
      const fallback: RefundStep = isRepeat ? { name: "unanswered", request } : { name: "choose" };
      const isAllowed = right === "own" || right === "try";
      const first = isAllowed ? terminal : await askRefunder(what);
      if (first === null) return setStep(fallback);
      const answer = await ask(first, request, isRepeat);
      if (right !== "try" || !("code" in answer) || answer.code !== "FORBIDDEN") return setStep(answer);
      const second = await askRefunder(what);
      setStep(second === null ? fallback : await ask(second, request, isRepeat));
    },
  };

  function askRefunder(what: string): Promise<RefundCommands | null> {
    setStep({ name: "approving" });
    return askForApproval(what, "refunders");
  }

  async function ask(commands: RefundCommands, request: RefundToMake, isRepeat: boolean): Promise<RefundStep> {
    setStep({ name: "asking" });
    try {
      return { name: "answered", refund: await commands.refund(request), request };
    } catch (error) {
      if (error instanceof TerminalRefusal) {
        const { code } = error;
        // It is still unknown whether the first attempt was made.
        if (isRepeat && !isAboutRefund(code)) return { name: "unanswered", request, code };
        return { name: "refused", code };
      }
      if (error instanceof HubUnreachableError) return { name: "unanswered", request };
      throw error;
    }
  }
}
