import { brokenInput, OrderMutation, terminalLimits } from "@comanda/protocol";
import { TerminalRefusal } from "../refusal.ts";
import { decideMessage } from "./decide-message.ts";
import type { MutationMessage, OutboxEntry } from "./outbox-entry.ts";

/** Throws TerminalRefusal for what the hub would never accept, before it blocks the outbox. */
export function checkIntent(entry: OutboxEntry): void {
  const message = messageAsNew(entry);
  const read = OrderMutation.safeParse(message);
  if (!read.success) {
    const problems = read.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new TerminalRefusal("VALIDATION_ERROR", problems.join("; "));
  }
  const broken = brokenInput(message, terminalLimits.messageDepth);
  if (broken !== null) throw new TerminalRefusal("VALIDATION_ERROR", broken);
  if (isTooLarge(message)) {
    throw new TerminalRefusal("PAYLOAD_TOO_LARGE", "the change is larger than one frame to the hub may be (1 MiB)");
  }
}

/** The hub closes the connection at a frame above its limit. */
export function isTooLarge(message: MutationMessage): boolean {
  return new TextEncoder().encode(JSON.stringify(message)).length > terminalLimits.frameBytes;
}

/** The message as it would be if the hub had no order yet. */
function messageAsNew(entry: OutboxEntry): MutationMessage {
  const { intent } = entry;
  const asNew = <T extends { base: unknown }>(change: T): T & { base: null } => ({ ...change, base: null });
  const probe =
    intent.type === "ORDER_UPSERT"
      ? asNew(intent)
      : intent.type === "ORDER_BATCH"
        ? { ...intent, orders: intent.orders.map(asNew) }
        : intent;
  const decision = decideMessage({ ...entry, intent: probe }, { order: () => undefined, hasStayed: () => false });
  if ("refused" in decision) throw new TerminalRefusal(decision.refused.errorCode, decision.refused.error);
  return decision.message;
}
