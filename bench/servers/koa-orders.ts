/** Bare Koa for the external API's figures: no key, no limits, no validation. COMMIT=group or each. */
import { createServer } from "node:http";
import Koa from "koa";
import { createGroupCommit } from "./group-commit.ts";
import { openOrderTable, storedOrder } from "./order-table.ts";
import { serve, setting } from "./serve.ts";

interface Create {
  posReference: string;
  json: string;
  done: () => void;
}

const table = openOrderTable(setting("DB_PATH"));
let seq = table.lastSeq();
const write = ({ posReference, json }: Create): void => {
  seq += 1;
  table.put({ posReference, version: 1, seq, json });
};
const submit = createGroupCommit<Create>({ table, write, announce: (group) => group.forEach(({ done }) => done()) });
const active = table.db.prepare<[], { json: string }>(`
  SELECT h.json AS json FROM orders o JOIN history h ON h.id = o.history_id ORDER BY o.seq DESC LIMIT 500`);

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.method === "POST") {
    const body = JSON.parse(await readBody(ctx.req)) as Record<string, unknown> & { externalRef: string };
    const posReference = `EXT/bench/${body.externalRef}`;
    const json = storedOrder({ posReference, version: 1, writer: "ext:bench", snapshot: body });
    if (process.env["COMMIT"] === "group") {
      await new Promise<void>((done) => submit({ posReference, json, done }));
    } else {
      table.commit(() => write({ posReference, json, done: () => undefined }));
    }
    ctx.status = 201;
    ctx.body = { posReference, version: 1, snapshot: (JSON.parse(json) as { snapshot: unknown }).snapshot };
  } else {
    ctx.body = { orders: active.all().map(({ json }) => summary(JSON.parse(json) as StoredOrder)) };
  }
});
await serve(createServer(app.callback()), () => table.db.close());

interface StoredOrder {
  posReference: string;
  version: number;
  tableId: number | null;
  terminalId: string;
  updatedAt: string;
  snapshot: { status: string; orderType: string; customerName: string; lines: unknown[]; totals: unknown };
}

function summary({ snapshot, ...order }: StoredOrder): Record<string, unknown> {
  return {
    posReference: order.posReference,
    version: order.version,
    tableId: order.tableId,
    status: snapshot.status,
    orderType: snapshot.orderType,
    ticketNumber: null,
    customerName: snapshot.customerName,
    itemCount: snapshot.lines.length,
    totals: snapshot.totals,
    updatedAt: order.updatedAt,
    origin: order.terminalId,
  };
}

async function readBody(request: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
