import type { Socket } from "node:net";

/** Requests that a fault delays or holds. `closeAll` cuts their connections. */
export function createHeldRequests() {
  const disconnects = new Set<() => void>();

  /** Resolves with true after `ms` (never if null), or with false if the connection is cut or lost first. */
  function wait(socket: Socket, ms: number | null): Promise<boolean> {
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve(false);
      const end = (survived: boolean): void => {
        clearTimeout(timer);
        socket.off("close", onClose);
        disconnects.delete(disconnect);
        resolve(survived);
      };
      const onClose = (): void => end(false);
      const disconnect = (): void => {
        end(false);
        socket.destroy();
      };
      const timer = ms === null ? undefined : setTimeout(() => end(true), ms);
      socket.on("close", onClose);
      disconnects.add(disconnect);
    });
  }

  return {
    wait: (socket: Socket, ms: number): Promise<boolean> => wait(socket, ms),

    /** Holds the request until it is cut or the client disconnects. */
    hold(socket: Socket): void {
      void wait(socket, null);
    },

    closeAll(): void {
      for (const disconnect of disconnects) disconnect();
    },
  };
}
