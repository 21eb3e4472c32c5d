/** What a team would write without optimizing for disks and fan-out: Socket.IO, and one SQLite commit per write. */
import { createServer } from "node:http";
import { Server } from "socket.io";
import { openOrderTable, storedOrder } from "./order-table.ts";
import { serve, setting } from "./serve.ts";

interface Upsert {
  mutationId: string;
  posReference: string;
  snapshot: Record<string, unknown>;
}

const table = openOrderTable(setting("DB_PATH"));
let seq = table.lastSeq();

const server = createServer();
const io = new Server(server, { transports: ["websocket"], serveClient: false });
io.on("connection", (socket) => {
  const orders = table.since(0).map((json) => JSON.parse(json) as unknown);
  socket.emit("SYNC", { type: "SYNC", mode: "full", seq, hubId: "socket.io", epoch: "1", orders, more: false });
  socket.on("ORDER_UPSERT", (message: Upsert, answer: (ack: unknown) => void) => {
    const { mutationId, posReference, snapshot } = message;
    const version = table.version(posReference) + 1;
    const order = storedOrder({ posReference, version, writer: socket.id, snapshot });
    seq += 1;
    table.commit(() => table.put({ posReference, version, seq, json: order }));
    answer({ type: "ORDER_ACK", mutationId, posReference, version, seq });
    const changed = { type: "ORDER_CHANGED", seq, posReference, version, origin: socket.id };
    io.emit("ORDER_CHANGED", { ...changed, order: JSON.parse(order) as unknown });
  });
});
await serve(server, () => table.db.close());
