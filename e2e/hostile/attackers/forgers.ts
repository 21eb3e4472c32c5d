import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { WebSocket } from "ws";
import { flood, type Flood, type Target, terminal } from "./floods.ts";

/** Insiders who claim that the hub has lost orders or history that it never had. */
export const forgers: readonly Flood[] = [
  { name: "made-up offers of orders", peer: "127.0.0.38", run: offers },
  { name: "made-up places in the hub's history", peer: "127.0.0.39", run: places },
];

async function offers(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  await terminal(target, peer, signal, async (socket, say) => {
    // Waits for the sign-in: the hub accepts only small messages from unknown clients.
    await once(socket, "message");
    await flood(4, socket, signal, () => {
      const orders = Array.from({ length: 200 }, () => madeUpOrder(Math.random() < 0.5 ? 1 : Number.MAX_SAFE_INTEGER));
      const hubId = Math.random() < 0.5 ? { hubId: randomUUID() } : {};
      say({ type: "ORDER_OFFER", epoch: randomUUID(), ...hubId, orders });
    });
  });
}

function madeUpOrder(version: number) {
  const posReference = `LOST/${randomUUID()}`;
  const at = new Date().toISOString();
  const snapshot = { posReference, status: "open", orderType: "dine_in", tableId: 1, guestCount: 1, lines: [] };
  const totals = { subtotal: 0, tax: 0, total: 0 };
  return {
    posReference,
    version,
    tableId: 1,
    terminalId: "made-up",
    createdAt: at,
    updatedAt: at,
    snapshot: { ...snapshot, totals, createdAt: at, updatedAt: at },
  };
}

/** Learns the hub's true position at its sign-in, and then claims positions far beyond it. */
async function places(target: Target, peer: string, signal: AbortSignal): Promise<void> {
  let place: { hubId: string; epoch: string; signature?: string } = { hubId: "", epoch: "" };
  await terminal(target, peer, signal, (socket, say) => {
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type?: string } & typeof place;
      if (message.type === "SYNC") place = message;
    });
    return flood(1, socket, signal, () => {
      const { hubId, epoch, signature } = place;
      const since = { hubId, epoch, seq: 10 ** 9, signature };
      say({ type: "RESYNC", since });
      const again = new WebSocket(target.url.replace("http", "ws"), { localAddress: peer });
      again.on("error", () => {});
      const auth = { type: "AUTH", token: target.waiterToken, deviceId: `forger-${Math.random()}`, since };
      again.once("open", () => again.send(JSON.stringify(auth)));
      setTimeout(() => again.terminate(), 500);
    });
  });
}
