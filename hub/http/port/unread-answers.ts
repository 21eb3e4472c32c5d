import type { Socket } from "node:net";

/**
 * Cuts off sockets when unread responses hold more than `max` bytes in total, until half of that is left. Begins with the
 * address that holds most, and with its fullest sockets.
 */
export function cutUnread(sockets: Iterable<Socket>, addressOf: (socket: Socket) => string, max: number): void {
  const full = [...sockets].filter((socket) => socket.writableLength > 0);
  let bytes = full.reduce((sum, socket) => sum + socket.writableLength, 0);
  if (bytes <= max) return;
  const target = max / 2;
  const byAddress = Map.groupBy(full, addressOf);
  while (bytes > target) {
    const [address, fullest] = [...byAddress].reduce((a, b) => (total(b[1]) > total(a[1]) ? b : a));
    byAddress.delete(address);
    for (const socket of fullest.toSorted((a, b) => b.writableLength - a.writableLength)) {
      if (bytes <= target) return;
      bytes -= socket.writableLength;
      socket.destroy();
    }
  }
}

const total = (sockets: readonly Socket[]): number => sockets.reduce((sum, socket) => sum + socket.writableLength, 0);
