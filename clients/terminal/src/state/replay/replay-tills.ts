import type { TillState } from "@comanda/protocol";
import type { OutboxEntry } from "../../outbox/entries/outbox-entry.ts";

/** Returns the tills as they will be after this device's queued mutations. */
export function replayTills(tills: Iterable<TillState>, entries: readonly OutboxEntry[]): TillState[] {
  return [...tills].map((till) => {
    let { shift } = till;
    for (const { intent, refusal, queuedAt: openedAt, actor } of entries) {
      if (refusal !== null) continue;
      if (intent.type === "TILL_OPEN" && intent.tillId === till.id) {
        shift ??= { id: intent.shiftId, openedAt, openedBy: actor?.user.name ?? "", state: "open" };
      } else if (intent.type === "TILL_COUNT" && intent.shiftId === shift?.id) shift = { ...shift, state: "counted" };
    }
    return shift === till.shift ? till : { ...till, shift };
  });
}
