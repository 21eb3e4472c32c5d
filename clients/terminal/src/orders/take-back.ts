import type { KitchenTicket, TicketLine } from "@comanda/protocol";

/** How long the hub lets a line be taken back, unless it is set up otherwise (HUB_TAKE_BACK_MS). */
const TAKE_BACK_MS = 30_000;

/**
 * How long this device may still take back what it sent of a line, in ms: 0 when it may not, because the kitchen has seen or
 * begun it, another device sent it, or it is too late. `now` is the hub's time.
 */
export function takeBackLeftMs(
  tickets: Iterable<KitchenTicket>,
  { posReference, lineId }: { posReference: string; lineId: string },
  { deviceId, now }: { deviceId: string; now: number },
): number {
  const holds = (line: TicketLine) =>
    line.shares.some(
      (share) => share.posReference === posReference && share.lineId === lineId && share.takenBack !== true,
    );
  const left = [...tickets]
    .filter(({ terminalId, seen }) => terminalId === deviceId && seen.length === 0)
    .filter(({ lines }) => lines.some((line) => holds(line) && line.preparedQuantity === 0))
    .map(({ sentAt }) => Date.parse(sentAt) + TAKE_BACK_MS - now);
  return Math.max(0, ...left);
}
