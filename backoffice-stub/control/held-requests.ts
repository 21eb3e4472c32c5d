import type { Socket } from "node:net";

/** Requests that a fault keeps waiting. Closing them cuts their connections. */
export function createHeldRequests() {
  const cuts = new Set<() => void>();

  /** Until `ms` have passed. False when the connection was cut or lost meanwhile. */
  function wait(socket: Socket, ms: number | null): Promise<boolean> {
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve(false);
      const end = (survived: boolean): void => {
        clearTimeout(timer);
        socket.off("close", lost);
        cuts.delete(cut);
        resolve(survived);
      };
      const lost = (): void => end(false);
      const cut = (): void => {
        end(false);
        socket.destroy();
      };
      const timer = ms === null ? undefined : setTimeout(() => end(true), ms);
      socket.on("close", lost);
      cuts.add(cut);
    });
  }

  return {
    wait: (socket: Socket, ms: number): Promise<boolean> => wait(socket, ms),

    /** Until it is cut or the caller disconnects. */
    hold(socket: Socket): void {
      void wait(socket, null);
    },

    closeAll(): void {
      for (const cut of cuts) cut();
    },
  };
}
