import { retryableCodes, type HubMessage, type TerminalMessage } from "@comanda/protocol";
import { HubError } from "../../platform/errors.ts";
import { actingWriter } from "../../orders/mutations/acting-writer.ts";
import type { Writer } from "../../orders/writer.ts";
import { isPayment } from "../../orders/payments/keep-payment.ts";
import { RefusedMutation } from "../../orders/rulebook/refused-mutation.ts";
import { ackOf, isOfOrder } from "../../orders/store/mutation-store.ts";
import type { World } from "../../platform/world.ts";
import type { RememberTerminal } from "../sessions/remember-terminal.ts";
import type { ActiveTerminal, TerminalSession } from "../sessions/terminal-session.ts";
import type { TerminalDeps } from "../terminal-deps.ts";

/** What a message can do to its own connection. */
export interface SessionActions {
  resync(since: Extract<TerminalMessage, { type: "RESYNC" }>["since"], requestId: string | undefined): Promise<void>;
  sendPresence(message: HubMessage): void;
}

export interface MessageDeps extends Pick<
  TerminalDeps,
  "world" | "leases" | "people" | "tables" | "offers" | "applyTerminalChange" | "completeAnswer" | "onTerminal"
> {
  remember: RememberTerminal;
}

/** Executes one message of a signed-in terminal. Resolves with the answer, or null if there is none. */
export async function handleMessage(
  deps: MessageDeps,
  session: TerminalSession,
  active: ActiveTerminal,
  message: TerminalMessage,
  actions: SessionActions,
): Promise<HubMessage | null> {
  const writer: Writer = {
    terminalId: active.terminalId,
    userName: active.identity.userName,
    role: active.identity.role,
    permissions: active.identity.permissions,
  };
  const { terminalId } = writer;
  switch (message.type) {
    case "AUTH":
      throw new HubError("VALIDATION_ERROR", "this connection is signed in already");
    case "HEARTBEAT":
      return heartbeat(deps, session, active, message);
    case "RESYNC":
      await actions.resync(message.since, message.requestId);
      return null;
    case "PRESENCE": {
      const { posReference, tableId, actor } = message;
      const acting = actingWriter(deps.people, writer, { mutationId: "", actor }, 0);
      // An invalid actor token does not fail a presence update; the signed-in user's name is used.
      active.presentName = (acting.refusal === null ? acting.writer : writer).userName;
      active.presence = {
        ...(posReference !== undefined && { posReference }),
        ...(tableId !== undefined && { tableId }),
      };
      deps.onTerminal("reported", active);
      actions.sendPresence({ type: "PRESENCE", terminalId, userName: active.presentName, ...active.presence });
      return null;
    }
    case "LEASE_ACQUIRE":
      return acquireLease(deps, writer, message);
    case "LEASE_RELEASE":
      await deps.leases.release(message.posReference, terminalId, message.leaseId);
      return { type: "LEASE_RELEASED", posReference: message.posReference };
    case "TABLE_LOCK": {
      const { tableId } = message;
      const { locked, lock } = await deps.tables.lock(tableId, writer, message.ttlMs);
      return { type: locked ? "TABLE_LOCKED" : "TABLE_LOCK_DENIED", tableId, lock };
    }
    case "TABLE_UNLOCK":
      await deps.tables.unlock(message.tableId, terminalId, writer.role === "manager");
      return { type: "TABLE_UNLOCKED", tableId: message.tableId };
    case "TABLE_RESERVE": {
      const status = await deps.tables.reserve(message.tableId, terminalId);
      return { type: "TABLE_ACK", tableId: message.tableId, status };
    }
    case "TABLE_UNRESERVE": {
      const status = await deps.tables.unreserve(message.tableId, terminalId);
      return { type: "TABLE_ACK", tableId: message.tableId, status };
    }
    case "ORDER_OFFER":
      return {
        type: "ORDER_OFFER_ACK",
        ...(await deps.offers.keep(`terminal:${terminalId}`, message, offeredIn(message))),
      };
    case "ORDER_UPSERT":
    case "ORDER_BATCH":
    case "ORDER_SEND":
    case "KITCHEN_SEEN":
    case "KITCHEN_BUMP":
    case "KITCHEN_SERVED":
    case "KITCHEN_PRIORITY":
    case "ITEM_STATE_SET":
    case "ORDER_TENDER":
    case "ORDER_TENDER_VOID":
    case "ORDER_CHECKOUT":
    case "ORDER_REOPEN":
    case "ORDER_PAY":
    case "ORDER_DISCARD":
    case "TILL_OPEN":
    case "TILL_MOVE":
    case "TILL_COUNT":
    case "TILL_DRAWER": {
      const queued = { at: queuedTimeOf(active, message.queuedAt), notBefore: active.outboxEmptyAt ?? 0 };
      const answer = await deps.applyTerminalChange(message, writer, queued);
      return ackOf(isPayment(message) && isOfOrder(answer) ? await deps.completeAnswer(answer) : answer);
    }
  }
}

function queuedTimeOf(active: ActiveTerminal, queuedAt: string | undefined): number | null {
  return queuedAt === undefined ? null : active.clock.momentOf(queuedAt);
}

function heartbeat(
  { world, leases, remember, onTerminal }: MessageDeps,
  session: TerminalSession,
  active: ActiveTerminal,
  message: Extract<TerminalMessage, { type: "HEARTBEAT" }>,
): HubMessage {
  const now = world.clock.now();
  if (message.outbox !== undefined) active.outbox = message.outbox;
  if (message.outbox?.pending === 0) active.outboxEmptyAt = now;
  if (message.clientTime !== undefined) active.clock.learn(message.clientTime);
  leases.renewAll(active.terminalId).catch((error: unknown) => {
    world.log.error({ err: error, terminalId: active.terminalId }, "leases could not be renewed");
  });
  remember(session, active);
  onTerminal("reported", active);
  return { type: "HEARTBEAT_ACK", serverTime: new Date(now).toISOString() };
}

async function acquireLease(
  { leases, people }: Pick<MessageDeps, "leases" | "people">,
  session: Writer,
  message: Extract<TerminalMessage, { type: "LEASE_ACQUIRE" }>,
): Promise<HubMessage> {
  const { posReference, role, actor, approval, requestId = "" } = message;
  // An approval is valid for this request about this check, also when it is retried on a new connection.
  const mutationId = `lease ${posReference} ${requestId}`;
  const { writer, refusal } = actingWriter(people, session, { mutationId, actor, approval }, 0);
  if (refusal !== null) throw refusal;
  const wantsTakeover = message.takeover === true;
  const takeover = wantsTakeover && writer.role === "manager";
  const { terminalId, userName } = writer;
  const answer = await leases.acquire(
    { posReference, terminalId, userName, role, takeover },
    () => approval !== undefined && people.noteApproved(approval, mutationId),
  );
  if (answer.granted) {
    const { leaseId, expiresAt } = answer.lease;
    return { type: "LEASE_GRANTED", posReference, leaseId, role, expiresAt, ttlMs: answer.ttlMs };
  }
  const { holder } = answer;
  const holderMessage = `${holder.userName} has this order open on ${holder.terminalId}`;
  const error = wantsTakeover ? `${holderMessage}; only a manager may take it over` : holderMessage;
  return { type: "LEASE_DENIED", posReference, errorCode: "LEASE_HELD", error, holder };
}

/** Returns the answer to a message that failed. Errors other than HubError are logged and answered without details. */
export function refusalOf({ log }: World, message: TerminalMessage, error: unknown): HubMessage {
  const cause = error instanceof RefusedMutation ? error.refusal : error;
  const refusal = cause instanceof HubError ? cause : new HubError("INTERNAL_ERROR", "the hub failed; see its log");
  if (refusal !== cause) log.error({ err: cause, message: message.type }, "a message failed");
  const { code: errorCode, message: sentence } = refusal;
  const retryable = retryableCodes.has(errorCode);
  if (!("mutationId" in message)) return { type: "ERROR", errorCode, error: sentence, retryable };
  const posReference =
    error instanceof RefusedMutation
      ? error.posReference
      : "posReference" in message
        ? message.posReference
        : undefined;
  const keptFlag = error instanceof RefusedMutation && error.isKept ? { kept: true as const } : {};
  const rejection = {
    mutationId: message.mutationId,
    errorCode,
    error: sentence,
    retryable,
    ...keptFlag,
    ...refusal.details,
  };
  if (message.type.startsWith("TILL_")) return { type: "TILL_REJECTED", ...rejection };
  return {
    type: "ORDER_REJECTED",
    ...(posReference !== undefined && { posReference }),
    ...rejection,
  };
}

function offeredIn({ orders, removed = [] }: Extract<TerminalMessage, { type: "ORDER_OFFER" }>) {
  return [...orders, ...removed];
}
