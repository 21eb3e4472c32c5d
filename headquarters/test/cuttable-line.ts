import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Starts a line to a NATS server that tests can cut and mend. Its address stays the same. */
export async function startCuttableLine(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let ownPort = 0;
  let isHanging = false;
  /** Text in a request after which no answer arrives. */
  let lostFrom: string | null = null;

  function hold(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      other.destroy();
    });
  }

  async function mend(): Promise<void> {
    if (server !== null) return;
    server = createServer((near) => {
      const far = connect(Number(port), hostname);
      hold(near, far);
      hold(far, near);
      if (!isHanging) near.pipe(far).pipe(near);
      near.on("data", (data: Buffer) => {
        if (lostFrom !== null && data.includes(lostFrom)) far.unpipe(near);
      });
    }).listen(ownPort, "127.0.0.1");
    await once(server, "listening");
    ownPort = (server.address() as AddressInfo).port;
  }

  /** Stops all data without closing connections, until `cut`. */
  function hang(): void {
    isHanging = true;
    for (const socket of sockets) socket.unpipe().pause();
  }

  /** From a request with this text on, requests arrive and their answers are lost, until `cut`. */
  function loseAnswersFrom(text: string): void {
    lostFrom = text;
  }

  async function cut(): Promise<void> {
    isHanging = false;
    lostFrom = null;
    if (server === null) return;
    const closed = once(server, "close");
    server.close();
    server = null;
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await mend();
  return { url: `nats://127.0.0.1:${ownPort}`, cut, hang, loseAnswersFrom, mend };
}
