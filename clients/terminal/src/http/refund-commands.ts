import type { Refund, RefundAtTerminal } from "@comanda/protocol";
import type { HubHttp } from "./hub-http.ts";

/** What is given back of a paid check; who gives it back, and where, is added. */
export type RefundToMake = Omit<RefundAtTerminal, "deviceKey" | "actor" | "approval">;

export type RefundCommands = ReturnType<typeof createRefundCommands>;

export function createRefundCommands(deps: {
  http: Pick<HubHttp, "refund">;
  uuid(): string;
  deviceKey(): string | undefined;
  /** Who acts, and the approval of a second person. */
  signature(): { actor?: { token: string } | undefined; approval?: string | undefined };
}) {
  const { http, uuid, deviceKey, signature } = deps;
  return {
    /** The id of a new refund: kept by the caller, and sent again with each repeat. */
    newRefundId: uuid,
    /**
     * Gives back what was paid, now: it needs the hub and the back-office, and never waits in the outbox. Resolves with the
     * refund, `pending` where nobody knows whether the note was made. Rejects with TerminalRefusal; with HubUnreachableError the
     * same refund has to be asked for again.
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
