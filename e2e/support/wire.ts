import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { HubMessage, TerminalMessage } from "@comanda/protocol";
import { WebSocket, WebSocketServer } from "ws";

/** What becomes of a message: `cut` drops it and the connection. */
export type Fate = "pass" | "drop" | "cut";

/** A line between terminals and a hub that can be made to fail. */
export interface Wire {
  url: string;
  /** Decides about every message from the hub. */
  fromHub: (message: HubMessage) => Fate;
  fromTerminal: (message: TerminalMessage) => Fate;
  /** Every message that a terminal said, in order. */
  said: TerminalMessage[];
  /** Cuts every connection without a close frame. */
  cut(): void;
  close(): Promise<void>;
}

export async function startWire(hubUrl: string): Promise<Wire> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const cuts = new Set<() => void>();
  const wire: Wire = {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fromHub: () => "pass",
    fromTerminal: () => "pass",
    said: [],
    cut() {
      for (const cut of cuts) cut();
    },
    async close() {
      wire.cut();
      server.close();
      await once(server, "close");
    },
  };
  server.on("connection", (terminal) => {
    const hub = new WebSocket(hubUrl, { perMessageDeflate: false });
    const early: string[] = [];
    const cut = () => {
      cuts.delete(cut);
      terminal.terminate();
      hub.terminate();
    };
    cuts.add(cut);
    terminal.on("message", (data: Buffer) => {
      const message = TerminalMessage.parse(JSON.parse(data.toString("utf8")));
      wire.said.push(message);
      const fate = wire.fromTerminal(message);
      if (fate === "cut") cut();
      if (fate !== "pass") return;
      if (hub.readyState === WebSocket.OPEN) hub.send(data.toString("utf8"));
      else early.push(data.toString("utf8"));
    });
    hub.on("open", () => {
      for (const text of early) hub.send(text);
    });
    hub.on("message", (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString("utf8"));
      for (const message of Array.isArray(frame) ? frame : [frame]) {
        const fate = wire.fromHub(HubMessage.parse(message));
        if (fate === "cut") return cut();
        if (fate === "pass") terminal.send(JSON.stringify(message));
      }
    });
    hub.on("close", (code, reason) => {
      cuts.delete(cut);
      if (code >= 1000 && code !== 1005 && code !== 1006) terminal.close(code, reason);
      else terminal.terminate();
    });
    terminal.on("close", cut);
    for (const end of [hub, terminal]) end.on("error", () => {});
  });
  return wire;
}
