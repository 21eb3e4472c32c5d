import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { pump } from "./drive.ts";
import { connectFleet } from "./fleet.ts";
import type { Verdict } from "./fleet-book.ts";

interface Upsert {
  type: string;
  mutationId: string;
  posReference: string;
  snapshot: { lines: { note: string }[] };
}

/** The server's fault at the fifth change that it sends to one terminal. */
type Fault = "none" | "drops it" | "sends it twice" | "changes a letter" | "sends it as part of a SYNC";

const servers: { close: () => void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe("fleets", () => {
  it("a fleet finds no fault with a server that passes on every change", async () => {
    expect(await verdictOn("none")).toEqual({
      lost: 0,
      doubled: 0,
      damaged: 0,
      rejected: 0,
      coalesced: 0,
      firstProblem: null,
    });
  });

  it("a fleet detects a change that one terminal never received", async () => {
    expect((await verdictOn("drops it")).lost).toBeGreaterThan(0);
  });

  it("a fleet detects a change that one terminal received twice", async () => {
    expect((await verdictOn("sends it twice")).doubled).toBeGreaterThan(0);
  });

  it("a fleet detects a letter that was changed", async () => {
    expect(await verdictOn("changes a letter")).toMatchObject({ lost: 0, doubled: 0, damaged: 1 });
  });

  it("a fleet recognizes a SYNC that brings a terminal up to date", async () => {
    expect(await verdictOn("sends it as part of a SYNC")).toMatchObject({ lost: 0, doubled: 0, damaged: 0 });
  });
});

async function verdictOn(fault: Fault): Promise<Verdict> {
  const url = await startFaultyServer(fault);
  const target = { flavour: "comanda", url, token: "any" } as const;
  const fleet = await connectFleet({ target, terminals: 3, orders: 4, run: "test" });
  await pump(fleet, { writers: 2, inFlight: 1, writes: 12, settleWithinMs: 300 });
  await fleet.close();
  return fleet.verdict();
}

async function startFaultyServer(fault: Fault): Promise<string> {
  const server = createServer();
  const sockets: WebSocket[] = [];
  const versions = new Map<string, number>();
  let seq = 0;
  new WebSocketServer({ server }).on("connection", (socket) => {
    socket.on("message", (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Upsert;
      if (message.type === "AUTH") {
        socket.send('{"type":"AUTH_OK"}');
        socket.send(sync([]));
        sockets.push(socket);
      } else if (message.type === "ORDER_UPSERT") {
        write(socket, message);
      }
    });
  });
  const sync = (orders: unknown[]): string =>
    JSON.stringify({ type: "SYNC", mode: "delta", seq, hubId: "h", epoch: "e", orders, more: false });
  const write = (socket: WebSocket, { mutationId, posReference, snapshot }: Upsert): void => {
    const version = (versions.get(posReference) ?? 0) + 1;
    versions.set(posReference, version);
    seq += 1;
    const order = { posReference, version, snapshot };
    const change = JSON.stringify({ type: "ORDER_CHANGED", seq, posReference, version, order });
    for (const [n, terminal] of sockets.entries()) {
      const faulty = n === 2 && seq === 5;
      if (!faulty || fault === "none") terminal.send(change);
      else if (fault === "sends it twice") terminal.send(`[${change},${change}]`);
      else if (fault === "changes a letter") terminal.send(change.replace(/camar[^"]n/, "camaron"));
      else if (fault === "sends it as part of a SYNC") terminal.send(sync([order]));
    }
    socket.send(JSON.stringify({ type: "ORDER_ACK", mutationId, posReference, version, seq }));
  };
  await once(server.listen(0, "127.0.0.1"), "listening");
  servers.push({
    close: () => {
      for (const socket of sockets) socket.terminate();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
