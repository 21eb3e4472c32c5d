import type { Refund, RefundAtTerminal } from "@comanda/protocol";
import type { HubHttp } from "./hub-http.ts";

/** A refund request, without who requests it and on which device. */
export type RefundToMake = Omit<RefundAtTerminal, "deviceKey" | "actor" | "approval">;

export type RefundCommands = ReturnType<typeof createRefundCommands>;

export function createRefundCommands(deps: {
  http: Pick<HubHttp, "refund">;
  uuid(): string;
  deviceKey(): string | undefined;
  /** The acting person, and the approval of a second one. */
  signature(): { actor?: { token: string } | undefined; approval?: string | undefined };
}) {
  const { http, uuid, deviceKey, signature } = deps;
  return {
    /** Returns the id for a new refund. The caller keeps it and repeats it with each retry. */
    newRefundId: uuid,
    /**
     * Refunds a payment now: it needs the hub and the back-office, and is never queued in the outbox. The refund is `pending`
     * if it is unknown whether the credit note was created. Rejects with TerminalRefusal; after HubUnreachableError, retry the
     * same refund.
     */
    async refund(request: RefundToMake): Promise<Refund> {
      const { actor, approval } = signature();
      const key = deviceKey();
      const { refund } = await http.refund({
        ...request,
        ...(key !== undefined && { deviceKey: key }),
        ...(actor !== undefined && { actor: actor.token }),
        ...(approval !== undefined && { approval }),
      });
      return refund;
    },
  };
}
