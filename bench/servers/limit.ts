/**
 * The limit: the most this machine can do with Node, ws and SQLite. No validation, leases, conflicts or back-pressure. Group
 * commit per turn of the event loop; every message is serialised once, and one frame for all terminals is written to their
 * sockets, bypassing ws. With WEBHOOK_URL it also commits, signs and posts one webhook per write.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { WebSocketServer } from "ws";
import { createGroupCommit } from "./group-commit.ts";
import { openOrderTable, storedOrder } from "./order-table.ts";
import { rawFrame } from "./raw-frame.ts";
import { serve, setting } from "./serve.ts";

interface Write {
  line: Socket;
  writer: string;
  message: { mutationId: string; posReference: string; snapshot: Record<string, unknown> };
  version: number;
  seq: number;
  json: string;
}

const table = openOrderTable(setting("DB_PATH"));
const webhookUrl = process.env["WEBHOOK_URL"];
const webhooks = webhookUrl === undefined ? null : await rawWebhooks(webhookUrl);
const hubId = randomUUID();
const terminals = new Set<Socket>();
let seq = table.lastSeq();

const submit = createGroupCommit<Write>({
  table,
  write(write) {
    const { posReference, snapshot } = write.message;
    seq += 1;
    write.seq = seq;
    write.version = table.version(posReference) + 1;
    write.json = storedOrder({ posReference, version: write.version, writer: write.writer, snapshot });
    table.put({ posReference, version: write.version, seq, json: write.json });
    webhooks?.record(posReference, write.version, write.writer, write.json);
  },
  announce(group) {
    const shared = rawFrame(`[${group.map(changedMessage).join(",")}]`);
    const answers = Map.groupBy(group, (write) => write.line);
    for (const terminal of terminals) {
      const own = answers.get(terminal);
      terminal.cork();
      if (own !== undefined) terminal.write(rawFrame(`[${own.map(ackMessage).join(",")}]`));
      terminal.write(shared);
      terminal.uncork();
    }
    webhooks?.wake();
  },
});

const server = createServer((_request, response) => response.end());
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket, request) => {
  const line = request.socket;
  let deviceId = "";
  socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Record<string, unknown> & Write["message"];
    if (message["type"] === "ORDER_UPSERT") {
      submit({ line, writer: deviceId, message, version: 0, seq: 0, json: "" });
    } else if (message["type"] === "AUTH") {
      deviceId = String(message["deviceId"]);
      const since = (message["since"] as { seq: number } | undefined)?.seq;
      socket.send(JSON.stringify({ type: "AUTH_OK", terminalId: deviceId, hubId, epoch: "1" }));
      socket.send(syncMessage(since));
      terminals.add(line);
    }
  });
  socket.on("close", () => terminals.delete(line));
  socket.on("error", () => socket.terminate());
});
await serve(server, () => table.db.close());

/** Loads the webhooks only if needed: their HTTP client would count as memory of a server that only speaks WebSocket. */
async function rawWebhooks(url: string) {
  const { createRawWebhooks } = await import("./raw-webhooks.ts");
  return createRawWebhooks(table, url, setting("WEBHOOK_SECRET"));
}

function changedMessage(write: Write): string {
  return `{"type":"ORDER_CHANGED","seq":${write.seq},"posReference":${JSON.stringify(write.message.posReference)},"version":${write.version},"origin":"${write.writer}","order":${write.json}}`;
}

function ackMessage({ message, version, seq: at }: Write): string {
  return `{"type":"ORDER_ACK","mutationId":"${message.mutationId}","posReference":${JSON.stringify(message.posReference)},"version":${version},"seq":${at}}`;
}

function syncMessage(since: number | undefined): string {
  const mode = since === undefined ? "full" : "delta";
  const orders = table.since(since ?? 0).join(",");
  return `{"type":"SYNC","mode":"${mode}","seq":${seq},"hubId":"${hubId}","epoch":"1","orders":[${orders}],"removedOrders":[],"more":false}`;
}
