/**
 * A back-office that costs next to nothing, so that the drain's own speed is measured: it answers `hub/batch-sync` itself and
 * proxies everything else to the stand-in. In mode `pass` it proxies batches too; in mode `down` it refuses them.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { serve, setting } from "./serve.ts";

type Mode = "instant" | "pass" | "down";

export interface FrontReport {
  batches: number;
  events: number;
  doubled: number;
  /** Ms from the first batch's arrival to the last answer, and the back-office's own share of it. */
  elapsedMs: number;
  ownMs: number;
}

const backOffice = new URL(setting("BEHIND_URL"));
let mode: Mode = "instant";
let references = new Set<string>();
let report = emptyReport();
let firstAt = 0;

await serve(
  createServer((incoming, response) => {
    if (incoming.url === "/bench/mode") return void setMode(incoming, response);
    if (incoming.url === "/bench/report") return void response.end(JSON.stringify(report));
    if (incoming.url !== "/pos-api/v1/hub/batch-sync") return pass(incoming, null, response);
    void batch(incoming, response);
  }),
  () => undefined,
);

async function setMode(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  mode = (await readText(incoming)) as Mode;
  references = new Set();
  report = emptyReport();
  firstAt = 0;
  response.end();
}

async function batch(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrivedAt = performance.now();
  const text = await readText(incoming);
  if (mode === "down") {
    response.writeHead(503, { "content-type": "application/json" });
    return void response.end('{"error":"down for the benchmark","errorCode":"INTERNAL_ERROR"}');
  }
  if (firstAt === 0) firstAt = arrivedAt;
  const { events } = JSON.parse(text) as { events: { eventId: string | number; posReference: string }[] };
  response.once("finish", () => {
    for (const { posReference } of events) {
      if (references.has(posReference)) report.doubled += 1;
      references.add(posReference);
    }
    report.batches += 1;
    report.events = references.size;
    report.ownMs += performance.now() - arrivedAt;
    report.elapsedMs = performance.now() - firstAt;
  });
  if (mode === "pass") return pass(incoming, text, response);
  const results = events.map(({ eventId }, n) => ({ eventId, status: "finalized", orderId: report.events + n + 1 }));
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ results }));
}

function pass(incoming: IncomingMessage, body: string | null, response: ServerResponse): void {
  const forwarded = request(
    {
      host: backOffice.hostname,
      port: backOffice.port,
      path: incoming.url,
      method: incoming.method,
      headers: incoming.headers,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  forwarded.once("error", () => response.writeHead(502).end());
  if (body === null) incoming.pipe(forwarded);
  else forwarded.end(body);
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function emptyReport(): FrontReport {
  return { batches: 0, events: 0, doubled: 0, elapsedMs: 0, ownMs: 0 };
}
