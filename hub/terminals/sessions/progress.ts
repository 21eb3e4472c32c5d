import type { WebSocket } from "ws";

/** Whether what waits to be sent on a connection is going out. */
export function createProgress(socket: Pick<WebSocket, "bufferedAmount">, now: number) {
  let drains = 0;
  let drainsSeen = 0;
  let progressAt = now;

  return {
    drained(): void {
      drains += 1;
    },
    /** For how many ms something has been waiting to be sent without any of it going out. */
    stalledMs(at: number): number {
      if (drains !== drainsSeen || socket.bufferedAmount === 0) {
        drainsSeen = drains;
        progressAt = at;
      }
      return at - progressAt;
    },
  };
}
