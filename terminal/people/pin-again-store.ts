import type { PendingPin } from "@comanda/terminal";
import { createStore } from "@comanda/ui/store.ts";

type UserId = PendingPin["user"]["id"];

/** The user whose PIN was requested now, and by user the `oldestAt` of the changes for which the PIN was put off. */
interface Asking {
  requestedFor: UserId | null;
  postponed: ReadonlyMap<UserId, string>;
}

export const pinAgain = createStore<Asking>({ requestedFor: null, postponed: new Map() });

export function askPinAgain(userId: UserId): void {
  pinAgain.set({ ...pinAgain.get(), requestedFor: userId });
}

export function putOffPin({ user, oldestAt }: PendingPin): void {
  pinAgain.set({ requestedFor: null, postponed: new Map([...pinAgain.get().postponed, [user.id, oldestAt]]) });
}

/** Returns whose PIN to ask for: the requested user, otherwise the acting one unless it was put off. */
export function personToAsk(
  pending: readonly PendingPin[],
  { requestedFor, postponed, actorId }: Asking & { actorId: UserId | undefined },
): PendingPin | null {
  const chosen = pending.find(({ user }) => user.id === requestedFor);
  const own = pending.find(({ user, oldestAt }) => user.id === actorId && postponed.get(user.id) !== oldestAt);
  return chosen ?? own ?? null;
}
