import type { WebSocket } from "ws";

/** Tracks whether the send buffer of a connection is draining. */
export function createProgress(socket: Pick<WebSocket, "bufferedAmount">, now: number) {
  let drains = 0;
  let lastDrains = 0;
  let progressAt = now;

  return {
    drained(): void {
      drains += 1;
    },
    /** For how many ms data has been waiting without any of it being sent. */
    stalledMs(at: number): number {
      if (drains !== lastDrains || socket.bufferedAmount === 0) {
        lastDrains = drains;
        progressAt = at;
      }
      return at - progressAt;
    },
  };
}
