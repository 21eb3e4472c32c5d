import type { Socket } from "node:net";

/** What all answers together may hold that nobody has read: of all peers, and what is left after cutting some off. */
const MAX_BYTES = 64 * 1024 * 1024;
const LEFT_BYTES = MAX_BYTES / 2;

/**
 * Cuts off sockets while the answers that wait to be read hold too much memory together: of the address that holds most of
 * it, the fullest first.
 */
export function cutUnread(sockets: Iterable<Socket>, addressOf: (socket: Socket) => string, max = MAX_BYTES): void {
  const full = [...sockets].filter((socket) => socket.writableLength > 0);
  let bytes = full.reduce((sum, socket) => sum + socket.writableLength, 0);
  if (bytes <= max) return;
  const left = Math.min(LEFT_BYTES, max / 2);
  const byAddress = Map.groupBy(full, addressOf);
  while (bytes > left) {
    const [address, fullest] = [...byAddress].reduce((one, other) => (total(other[1]) > total(one[1]) ? other : one));
    byAddress.delete(address);
    for (const socket of fullest.toSorted((a, b) => b.writableLength - a.writableLength)) {
      if (bytes <= left) return;
      bytes -= socket.writableLength;
      socket.destroy();
    }
  }
}

const total = (sockets: readonly Socket[]): number => sockets.reduce((sum, socket) => sum + socket.writableLength, 0);
