import type { DeadLetters } from "@comanda/protocol";

/** How many notifications a replay queues again: all of them, or those of one receiver, whatever was the reason. */
export function undelivered(groups: DeadLetters["groups"], webhookId?: string): number {
  const own = groups.filter((group) => webhookId === undefined || group.webhookId === webhookId);
  return own.reduce((sum, { count }) => sum + count, 0);
}
