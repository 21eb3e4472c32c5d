import type { KitchenTicket, TicketLine } from "@comanda/protocol";

/**
 * How long this device may still take back what it sent of a line, in ms: 0 when it may not, because the kitchen has seen or
 * begun it, another device sent it, or it is too late: `takeBackMs` after it was sent. `now` is the hub's time.
 */
export function takeBackLeftMs(
  tickets: Iterable<KitchenTicket>,
  { posReference, lineId }: { posReference: string; lineId: string },
  { deviceId, now, takeBackMs }: { deviceId: string; now: number; takeBackMs: number },
): number {
  const holds = (line: TicketLine) =>
    line.shares.some(
      (share) => share.posReference === posReference && share.lineId === lineId && share.takenBack !== true,
    );
  const left = [...tickets]
    .filter(({ terminalId, seen }) => terminalId === deviceId && seen.length === 0)
    .filter(({ lines }) => lines.some((line) => holds(line) && line.preparedQuantity === 0))
    .map(({ sentAt }) => Date.parse(sentAt) + takeBackMs - now);
  return Math.max(0, ...left);
}
