import type { DeadLetters } from "@comanda/protocol";

/** Returns how many notifications a replay queues again: all of them, or those of one receiver, for any reason. */
export function undelivered(groups: DeadLetters["groups"], webhookId?: string): number {
  const own = groups.filter((group) => webhookId === undefined || group.webhookId === webhookId);
  return own.reduce((sum, { count }) => sum + count, 0);
}
