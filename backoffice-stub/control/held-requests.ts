import type { Socket } from "node:net";

/** Requests that a fault delays or holds. `closeAll` cuts their connections. */
export function createHeldRequests() {
  const cuts = new Set<() => void>();

  /** Resolves with true after `ms` (never if null), or with false if the connection is cut or lost first. */
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

    /** Holds the request until it is cut or the client disconnects. */
    hold(socket: Socket): void {
      void wait(socket, null);
    },

    closeAll(): void {
      for (const cut of cuts) cut();
    },
  };
}
