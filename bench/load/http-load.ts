import { Pool } from "undici";
import { benchSnapshot } from "./bench-order.ts";
import { type LoadUsage, startUsage } from "./usage.ts";

export interface HttpResult {
  requests: number;
  elapsedMs: number;
  /** Number of unexpected answers, and the first one. */
  wrong: number;
  firstWrong: string | null;
  usage: LoadUsage;
}

export interface HttpOptions {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** Loopback address to send from. */
  localAddress?: string;
}

/**
 * Creates takeout orders over keep-alive connections, one request at a time on each; every answer is checked. The callers, each
 * with its own headers, take turns.
 */
export function postJob(
  options: Omit<HttpOptions, "headers"> & { run: string; path: string; callers: readonly Record<string, string>[] },
): Promise<HttpResult> {
  const references = new Set<string>();
  let next = 0;
  return closedLoop(options, async (pool) => {
    next += 1;
    const externalRef = `${options.run}-${next}`;
    const sent = externalOrder(next, externalRef);
    const answer = await pool.request({
      method: "POST",
      path: options.path,
      headers: { ...options.callers[next % options.callers.length], "content-type": "application/json" },
      body: JSON.stringify(sent),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 201) return `${answer.statusCode} ${text.slice(0, 200)}`;
    const { posReference, snapshot } = JSON.parse(text) as {
      posReference: string;
      snapshot: { lines: { note?: string; total: number }[] };
    };
    if (references.has(posReference)) return `${posReference} was given twice`;
    references.add(posReference);
    const isIntact = sent.lines.every((line, n) => {
      const stored = snapshot.lines[n];
      return stored !== undefined && stored.note === line.note && stored.total === line.total;
    });
    return isIntact ? null : `${posReference} came back damaged`;
  });
}

/** Requests one path over keep-alive connections; every answer must be a 200 with the expected number of orders. */
export function getJob(options: HttpOptions & { path: string; orders: number }): Promise<HttpResult> {
  let verifiedText: string | null = null;
  return closedLoop(options, async (pool) => {
    const answer = await pool.request({ method: "GET", path: options.path, headers: options.headers });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) return `${answer.statusCode} ${text.slice(0, 200)}`;
    if (text === verifiedText) return null;
    const { orders } = JSON.parse(text) as { orders: unknown[] };
    if (orders.length !== options.orders) return `${orders.length} orders, not ${options.orders}`;
    verifiedText = text;
    return null;
  });
}

export interface FloodResult {
  requests: number;
  refused: number;
}

/** Sends requests at a fixed rate from another loopback address until `seconds` have passed. */
export async function floodJob(options: {
  url: string;
  path: string;
  perSecond: number;
  seconds: number;
  localAddress: string;
}): Promise<FloodResult> {
  const pool = new Pool(options.url, { connections: 16, connect: { localAddress: options.localAddress } });
  const result = { requests: 0, refused: 0 };
  const stepMs = 10;
  const startedAt = performance.now();
  const pending = new Set<Promise<void>>();
  while (performance.now() - startedAt < options.seconds * 1000) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * options.perSecond);
    while (result.requests < due && pending.size < 64) {
      result.requests += 1;
      const request = pool
        .request({ method: "GET", path: options.path })
        .then(async ({ statusCode, body }) => {
          await body.dump();
          if (statusCode === 429) result.refused += 1;
        })
        .catch(() => undefined)
        .finally(() => pending.delete(request));
      pending.add(request);
    }
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
  await Promise.all(pending);
  await pool.destroy();
  return result;
}

async function closedLoop(
  options: Omit<HttpOptions, "headers">,
  request: (pool: Pool) => Promise<string | null>,
): Promise<HttpResult> {
  const pool = new Pool(options.url, {
    connections: options.connections,
    pipelining: 1,
    connect: { localAddress: options.localAddress ?? "127.0.0.1" },
  });
  const usage = startUsage();
  const startedAt = performance.now();
  const until = startedAt + options.seconds * 1000;
  let requests = 0;
  let wrong = 0;
  let firstWrong: string | null = null;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const problem = await request(pool);
      requests += 1;
      if (problem === null) continue;
      wrong += 1;
      firstWrong ??= problem;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, worker));
  const result = { requests, elapsedMs: performance.now() - startedAt, wrong, firstWrong, usage: usage() };
  await pool.destroy();
  return result;
}

function externalOrder(index: number, externalRef: string) {
  const { lines, totals, customerName } = benchSnapshot(index, 1, null);
  return { externalRef, orderType: "takeout", customerName, totals, lines };
}
