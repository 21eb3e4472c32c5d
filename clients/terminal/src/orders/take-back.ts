import type { KitchenTicket } from "@comanda/protocol";

/** How long the hub lets a line be taken back, unless it is set up otherwise (HUB_TAKE_BACK_MS). */
const TAKE_BACK_MS = 30_000;

/**
 * How long this device may still take back what it sent of a line, in ms: 0 when it may not, because a station has seen it,
 * another device sent it, or it is too late. `now` is the hub's time.
 */
export function takeBackLeftMs(
  tickets: Iterable<KitchenTicket>,
  line: { posReference: string; lineId: string },
  { deviceId, now }: { deviceId: string; now: number },
): number {
  const holding = [...tickets].filter((ticket) =>
    ticket.lines.some(({ shares }) =>
      shares.some(
        ({ posReference, lineId, takenBack }) =>
          posReference === line.posReference && lineId === line.lineId && takenBack !== true,
      ),
    ),
  );
  const left = holding
    .filter(({ terminalId, seen }) => terminalId === deviceId && seen.length === 0)
    .map(({ sentAt }) => Date.parse(sentAt) + TAKE_BACK_MS - now);
  return Math.max(0, ...left);
}
