import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { percentile } from "../lib/statistics.ts";
import { isUndamaged } from "./bench-order.ts";
import { BENCH_PREFIX } from "./decode-frame.ts";

export interface ReceiverReport {
  /** Order deliveries received, without duplicates. */
  received: number;
  doubled: number;
  damaged: number;
  /** Number of signatures checked (one in ten), and of those that were wrong. */
  checked: number;
  badSignatures: number;
  lastAt: number;
  /** Ms from sending the edit over the terminal protocol until its webhook arrived. */
  delayP50: number;
  delayP99: number;
}

export interface ReportOptions {
  expected: number;
  withinMs: number;
  secret: string;
  sentAt?: (posReference: string, version: number) => number | undefined;
}

export interface Receiver {
  url: string;
  report: (options: ReportOptions) => Promise<ReceiverReport>;
  close: () => Promise<void>;
}

interface Delivery {
  at: number;
  head: string;
  body: Buffer;
}

/**
 * Receives webhooks at minimal cost: bytes are stored and parsed only for the report. HTTP is parsed by hand, because node:http
 * would cost the load generator more than the sender under measurement.
 */
export async function openReceiver(): Promise<Receiver> {
  let deliveries: Delivery[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    let pending = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      for (;;) {
        const end = pending.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = pending.toString("latin1", 0, end);
        const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
        if (pending.length < end + 4 + length) return;
        deliveries.push({ at: performance.now(), head, body: pending.subarray(end + 4, end + 4 + length) });
        pending = pending.subarray(end + 4 + length);
        socket.write("HTTP/1.1 204 No Content\r\n\r\n");
      }
    });
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async report(options) {
      const until = performance.now() + options.withinMs;
      while (deliveries.length < options.expected && performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const received = deliveries;
      deliveries = [];
      return reportOf(received, options);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function reportOf(deliveries: readonly Delivery[], { secret, sentAt }: ReportOptions): ReceiverReport {
  const changes = new Set<string>();
  const delays: number[] = [];
  const report = { received: 0, doubled: 0, damaged: 0, checked: 0, badSignatures: 0, lastAt: 0 };
  for (const [n, { at, head, body }] of deliveries.entries()) {
    const { data } = JSON.parse(body.toString()) as {
      data: { posReference: string; version: number; snapshot?: unknown };
    };
    if (data.snapshot === undefined || !data.posReference.startsWith(BENCH_PREFIX)) continue;
    const name = `${data.posReference} ${data.version}`;
    if (changes.has(name)) report.doubled += 1;
    changes.add(name);
    if (!isUndamaged(data.snapshot, data.version)) report.damaged += 1;
    report.lastAt = Math.max(report.lastAt, at);
    const sent = sentAt?.(data.posReference, data.version);
    if (sent !== undefined) delays.push(at - sent);
    if (n % 10 !== 0) continue;
    report.checked += 1;
    if (!isSigned(head, body, secret)) report.badSignatures += 1;
  }
  report.received = changes.size;
  return { ...report, delayP50: percentile(delays, 50), delayP99: percentile(delays, 99) };
}

function isSigned(head: string, body: Buffer, secret: string): boolean {
  const [, t, v1] = /x-hub-signature: *t=(\d+),v1=([0-9a-f]+)/i.exec(head) ?? [];
  if (t === undefined) return false;
  return createHmac("sha256", secret).update(`${t}.`).update(body).digest("hex") === v1;
}
