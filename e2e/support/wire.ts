import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { HubMessage, TerminalMessage } from "@comanda/protocol";
import { WebSocket, WebSocketServer } from "ws";

/** The fate of a message: `cut` drops it and closes the connection. */
export type Verdict = "pass" | "drop" | "cut";

/** A proxy between terminals and a hub that can drop messages and connections. */
export interface Wire {
  url: string;
  /** Decides on each message from the hub. */
  fromHub: (message: HubMessage) => Verdict;
  fromTerminal: (message: TerminalMessage) => Verdict;
  /** Every message from a terminal, in order. */
  terminalMessages: TerminalMessage[];
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
    terminalMessages: [],
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
      wire.terminalMessages.push(message);
      const verdict = wire.fromTerminal(message);
      if (verdict === "cut") cut();
      if (verdict !== "pass") return;
      if (hub.readyState === WebSocket.OPEN) hub.send(data.toString("utf8"));
      else early.push(data.toString("utf8"));
    });
    hub.on("open", () => {
      for (const text of early) hub.send(text);
    });
    hub.on("message", (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString("utf8"));
      for (const message of Array.isArray(frame) ? frame : [frame]) {
        const verdict = wire.fromHub(HubMessage.parse(message));
        if (verdict === "cut") return cut();
        if (verdict === "pass") terminal.send(JSON.stringify(message));
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
