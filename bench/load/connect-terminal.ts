import { once } from "node:events";
import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { Frame, SyncPage } from "./decode-frame.ts";
import type { Target } from "./flavour.ts";

export interface Since {
  hubId: string;
  epoch: string;
  seq: number;
}

export interface TerminalOptions {
  target: Target;
  deviceId: string;
  decode: (bytes: Buffer) => Frame;
  /** Called for every frame after the first SYNC is complete. */
  onFrame: (frame: Frame, receivedAt: number) => void;
  since?: Since;
}

export type TerminalConnection = Awaited<ReturnType<typeof connectTerminal>>;

const HEARTBEAT_EVERY_MS = 10_000;
const READY_WITHIN_MS = 60_000;

/** Connects a terminal and resolves after AUTH and the last page of its first SYNC; throws if the server refuses it. */
export async function connectTerminal(options: TerminalOptions) {
  const { target, deviceId, decode, onFrame, since } = options;
  const startedAt = performance.now();
  const { hostname, port } = new URL(target.url);
  const path = target.flavour === "comanda" ? "/" : "/socket.io/?EIO=4&transport=websocket";
  const socket = new WebSocket(`ws://${hostname}:${port}${path}`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  const synced: SyncPage[] = [];
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  let closeCode: number | null = null;
  let nextAckId = 0;
  let line: Socket | null = null;

  socket.once("upgrade", (response) => void (line = response.socket));
  socket.on("message", (data) => {
    const bytes = data as Buffer;
    if (target.flavour === "socket.io" && isEngineIoControl(bytes)) return answerEngineIo(socket, bytes);
    const frame = decode(bytes);
    if (isReady) return onFrame(frame, performance.now());
    const refused = frame.others.find((message) => message["type"] === "AUTH_FAILED" || message["type"] === "ERROR");
    if (refused !== undefined) ready.reject(new Error(`${target.url} refused ${deviceId}: ${JSON.stringify(refused)}`));
    synced.push(...frame.syncs);
    if (frame.syncs.some((page) => !page.more)) {
      isReady = true;
      ready.resolve();
      if (frame.changes.length > 0) onFrame({ ...frame, syncs: [] }, performance.now());
    }
  });
  socket.once("close", (code) => {
    closeCode = code;
    ready.reject(new Error(`${target.url} closed ${deviceId} with ${code}`));
  });
  socket.on("error", ready.reject);
  socket.once("open", () => {
    if (target.flavour !== "comanda") return;
    const auth = { type: "AUTH", token: target.token, deviceId, protocolVersion: 1, caps: ["batch"] };
    socket.send(JSON.stringify(since === undefined ? auth : { ...auth, since }));
  });
  const tooLate = setTimeout(() => ready.reject(new Error(`${deviceId} got no SYNC`)), READY_WITHIN_MS);
  await ready.promise.finally(() => clearTimeout(tooLate));

  /** Corks the socket, so that all messages of one turn are sent in one system call and the load generator stays cheap. */
  const gather = (): void => {
    if (line === null || line.writableCorked > 0) return;
    line.cork();
    process.nextTick((corked: Socket) => corked.uncork(), line);
  };
  const send = (type: string, message: Record<string, unknown>): void => {
    gather();
    if (target.flavour === "comanda") return socket.send(JSON.stringify({ type, ...message }));
    nextAckId += 1;
    socket.send(`42${nextAckId}${JSON.stringify([type, { type, ...message }])}`);
  };
  const heartbeat =
    target.flavour === "comanda" ? setInterval(() => send("HEARTBEAT", {}), HEARTBEAT_EVERY_MS) : undefined;
  socket.once("close", () => clearInterval(heartbeat));
  return {
    deviceId,
    /** Number of pages of the first SYNC. */
    synced,
    /** Ms from the start of connecting to the last page. */
    connectedInMs: performance.now() - startedAt,
    send,
    /** Stops reading the socket, like a tablet whose browser hangs. */
    stopReading: () => socket.pause(),
    goOnReading: () => socket.resume(),
    isOpen: () => socket.readyState === WebSocket.OPEN,
    closeCode: (): number | null => closeCode,
    close: async (): Promise<void> => {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, "close");
      socket.terminate();
      await closed;
    },
  };
}

/** Returns whether a frame is Engine.IO's own, open (0) or ping (2), or Socket.IO's connect (40). */
function isEngineIoControl(bytes: Buffer): boolean {
  return bytes[0] !== 0x34 || bytes[1] === 0x30;
}

function answerEngineIo(socket: WebSocket, bytes: Buffer): void {
  if (bytes[0] === 0x30) socket.send("40");
  else if (bytes[0] === 0x32) socket.send("3");
}
