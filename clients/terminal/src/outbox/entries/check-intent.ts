import { terminalLimits } from "@comanda/protocol";
import { TerminalRefusal } from "../../refusal.ts";
import type { Schemas } from "../../schemas.ts";
import { decideMessage } from "./decide-message.ts";
import type { MutationMessage, OutboxEntry } from "./outbox-entry.ts";

/** Throws TerminalRefusal for a mutation that the hub would never accept, before it blocks the outbox. */
export function checkIntent(entry: OutboxEntry, schemas: Schemas): void {
  const message = messageAsNew(entry);
  const problems = schemas.problemsOf(message);
  if (problems.length > 0) throw new TerminalRefusal("VALIDATION_ERROR", problems.join("; "));
  if (isTooLarge(message)) {
    throw new TerminalRefusal("PAYLOAD_TOO_LARGE", "the change does not fit one frame (1 MiB)");
  }
}

/** Whether a message exceeds the frame limit, at which the hub closes the connection. */
export function isTooLarge(message: MutationMessage): boolean {
  return sizeOf(message) > terminalLimits.frameBytes;
}

/** Returns the size of a message's frame, in bytes. */
export function sizeOf(message: MutationMessage): number {
  return new TextEncoder().encode(JSON.stringify(message)).length;
}

/** Returns the message for a hub that has no such order yet. */
function messageAsNew(entry: OutboxEntry): MutationMessage {
  const { intent } = entry;
  const asNew = <T extends { base: unknown }>(change: T): T & { base: null } => ({ ...change, base: null });
  const probe =
    intent.type === "ORDER_UPSERT"
      ? asNew(intent)
      : intent.type === "ORDER_BATCH"
        ? { ...intent, orders: intent.orders.map(asNew) }
        : intent;
  const decision = decideMessage({ ...entry, intent: probe }, () => undefined);
  if ("refused" in decision) throw new TerminalRefusal(decision.refused.errorCode, decision.refused.error);
  return decision.message;
}
