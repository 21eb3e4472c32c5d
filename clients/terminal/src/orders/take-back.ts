import type { KitchenTicket } from "@comanda/protocol";
import { canTakeBack, partsByLine, lineKey } from "@comanda/rules";

/**
 * Returns how long this device may still take back what it sent of a line, in ms. 0 if the kitchen has seen or begun it,
 * another device sent it, or `takeBackMs` have passed since. `now` is the hub's time.
 */
export function takeBackLeftMs(
  tickets: Iterable<KitchenTicket>,
  line: { posReference: string; lineId: string },
  { deviceId, now, takeBackMs }: { deviceId: string; now: number; takeBackMs: number },
): number {
  const parts = partsByLine([...tickets]).get(lineKey(line)) ?? [];
  const remaining = parts
    .filter((part) => canTakeBack(part, { terminalId: deviceId, now, takeBackMs }))
    .map(({ ticket }) => Date.parse(ticket.sentAt) + takeBackMs - now);
  return Math.max(0, ...remaining);
}
