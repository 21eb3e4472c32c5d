import { HOUR_MS, HUB_ORIGIN } from "@comanda/protocol";
import { settleTicket } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import { createLoop, type Loop } from "../platform/loop.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { MAX_OVERDUE } from "./ticket-lists.ts";
import type { TicketStore } from "./ticket-store.ts";

/** A restaurant without kitchen displays never finishes tickets: they leave the lists after this time. */
const EXPIRES_AFTER_MS = 18 * HOUR_MS;
const EVERY_MS = HOUR_MS / 4;

/** Removes unfinished old tickets from the lists, while the clock is trusted. */
export function createTicketExpiry(deps: {
  world: World;
  time: Pick<TrustedTime, "isConfirmed" | "now" | "onStampsSet">;
  changes: ChangeLog;
  tickets: TicketStore;
}): Loop {
  const { world, time, changes, tickets } = deps;
  time.onStampsSet((byMs) => {
    void writeOrLog(deps, "the age of tickets could not be kept", (tx) => keepAge(tickets, tx, byMs));
  });
  return createLoop(world, "tickets that nobody finished", EVERY_MS, async () => {
    if (!time.isConfirmed()) return;
    const now = time.now();
    while (tickets.listOverdue(now - EXPIRES_AFTER_MS).length > 0) {
      if (!(await changes.write((tx) => expireSome(tickets, tx, now)))) return;
    }
  });
}

/**
 * Expires some tickets unfinished for too long at `now` (ms since 1970). Returns whether there may be more. Works in batches,
 * so that a backlog does not block other writes.
 */
export function expireSome(tickets: TicketStore, tx: Tx, now: number): boolean {
  const overdue = tickets.listOverdue(now - EXPIRES_AFTER_MS);
  for (const ticket of overdue) {
    const expired = { ...ticket, expired: true as const };
    settleTicket(expired, ticket, isoTime(tx.now));
    tx.emit(tickets.save(tx, expired, HUB_ORIGIN));
  }
  return overdue.length === MAX_OVERDUE;
}

/** Moves the times of listed tickets that were sent before the clock was set by `byMs`. */
function keepAge(tickets: TicketStore, tx: Tx, byMs: number): void {
  for (const ticket of tickets.listOpen()) {
    const sentAt = Date.parse(ticket.sentAt);
    // What was sent since then is as old as it says.
    if (byMs > 0 ? sentAt + byMs > tx.now : sentAt <= tx.now) continue;
    tx.emit(tickets.save(tx, { ...ticket, sentAt: isoTime(sentAt + byMs) }, HUB_ORIGIN));
  }
}
