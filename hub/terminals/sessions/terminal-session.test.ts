import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { hubLimits } from "@comanda/protocol";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { Broadcast } from "../broadcasts/broadcast.ts";
import { shareFrames } from "../broadcasts/shared-frames.ts";
import { type ActiveTerminal, createTerminalSession } from "./terminal-session.ts";

async function connected() {
  const server = new WebSocketServer({ port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  const received: string[] = [];
  client.on("message", (data: Buffer) => received.push(data.toString()));
  const [socket] = (await once(server, "connection")) as [WebSocket];
  onTestFinished(() => {
    client.terminate();
    server.close();
  });
  let drained = 0;
  const session = createTerminalSession({
    socket,
    address: "::1",
    ordinal: 1,
    now: 0,
    onDrained: () => (drained += 1),
  });
  const active = { terminalId: "t", seq: 7, isBehind: false, isSynced: true, takesBatches: true, arrival: 1 };
  session.state = { kind: "active", active: active as ActiveTerminal };
  const broadcast = (seq: number, text: string): Broadcast => ({ seq, text, except: null, only: null, upTo: null });
  const flush = (...broadcasts: Broadcast[]): void => session.flush(broadcasts, shareFrames(broadcasts));
  return { session, active, received, broadcast, flush, drained: () => drained };
}

it("messages that waited behind a SYNC are sent in order [TERM-174]", async () => {
  const { session, active, received, broadcast, flush } = await connected();
  session.holdBack(7);
  flush(broadcast(6, '"old"'), broadcast(8, '"a"'));
  session.answer('"answer"');
  flush(broadcast(9, '"b"'));
  session.send('"SYNC"');
  session.release();
  flush(broadcast(10, '"c"'));
  await expect.poll(() => received).toEqual(['"SYNC"', '["a","answer","b"]', '["c"]']);
  expect(active).toMatchObject({ seq: 10, isBehind: false });
});

it("a terminal for which too much waits falls behind, but still gets its answers [TERM-174]", async () => {
  const { session, active, received, broadcast, flush, drained } = await connected();
  session.holdBack(7);
  flush(broadcast(8, `"${"x".repeat(hubLimits.sendBufferBytes)}"`));
  session.answer('"answer"');
  flush(broadcast(9, '"b"'));
  session.send('"SYNC"');
  session.release();
  expect(active).toMatchObject({ seq: 7, isBehind: true });
  await expect.poll(drained).toBeGreaterThan(0);
  await expect.poll(() => received).toEqual(['"SYNC"', '["answer"]']);
});

it("a terminal that is behind still gets messages addressed to it alone [TERM-180]", async () => {
  const { active, received, broadcast, flush } = await connected();
  const to = (only: string, text: string): Broadcast => ({ ...broadcast(0, text), seq: null, only });
  active.isBehind = true;
  flush(broadcast(8, '"a"'), to("t", '"mine"'), to("other", '"theirs"'));
  flush(to("t", '"mine, too"'));
  await expect.poll(() => received).toEqual(['["mine"]', '["mine, too"]']);
  expect(active).toMatchObject({ seq: 7, isBehind: true });
});

it("a terminal with too much waiting behind its SYNC still gets messages to it alone [TERM-180]", async () => {
  const { session, active, received, broadcast, flush } = await connected();
  session.holdBack(7);
  flush(broadcast(8, `"${"x".repeat(hubLimits.sendBufferBytes)}"`));
  flush({ ...broadcast(0, '"mine"'), seq: null, only: "t" });
  session.send('"SYNC"');
  session.release();
  expect(active).toMatchObject({ seq: 7, isBehind: true });
  await expect.poll(() => received).toEqual(['"SYNC"', '["mine"]']);
});
