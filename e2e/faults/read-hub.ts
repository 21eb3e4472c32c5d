import type { ForwardPage, HealthReport, HubMessageOf, KitchenTicket, Since, StoredOrder } from "@comanda/protocol";
import { connectTerminal, type TestTerminal } from "../../hub/test/support/connect-terminal.ts";
import { withTimeout } from "../support/with-timeout.ts";

/** Tokens with which the hub is read. */
export interface Tokens {
  cashier: string;
  manager: string;
}

/** The state that a running hub serves. */
export interface HubView {
  hello: HubMessageOf<"AUTH_OK">;
  /** Position in the hub's history, with its signature. */
  place: Since;
  seq: number;
  orders: Map<string, StoredOrder>;
  /** Tickets that are not finished. */
  tickets: KitchenTicket[];
  /** State of the forward event of each order. */
  forward: Map<string, string>;
  /** The order reference of every forward event, duplicates included. */
  forwardEvents: string[];
}

/**
 * Reads orders through a terminal's SYNC and events through the operator API. With `since`, a known terminal first presents its
 * position. `expected` are orders that may have been finished too long ago for a SYNC.
 */
export async function readHub(
  url: string,
  tokens: Tokens,
  { since, expected = new Set() }: { since?: Since; expected?: ReadonlySet<string> } = {},
): Promise<HubView> {
  if (since !== undefined) (await signInTerminal(url, tokens.cashier, { deviceId: "was-here", since })).close();
  // Uses a new device: the sign-in of a known one would rewrite its stored row and silently repair damage in it.
  const terminal = await signInTerminal(url, tokens.cashier, { deviceId: `reader-${crypto.randomUUID()}` });
  const read = await withTimeout("the whole SYNC", readPages(terminal));
  const orders = new Map(read.orders.map((order) => [order.posReference, order]));
  for (const posReference of expected) {
    const order = orders.has(posReference) ? null : await readOrder(url, tokens.manager, posReference);
    if (order !== null) orders.set(posReference, order);
  }
  const events: ForwardPage["events"] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: ForwardPage = await getJson(
      `${url}/operator/v1/forward?limit=200${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`,
      tokens.manager,
    );
    events.push(...page.events);
    cursor = page.nextCursor;
  }
  const { hello, sync } = terminal;
  const { hubId, epoch, seq, signature } = sync;
  terminal.close();
  return {
    hello,
    place: { hubId, epoch, seq, signature },
    seq,
    orders,
    tickets: read.tickets,
    forward: new Map(events.map(({ posReference, state }) => [posReference, state])),
    forwardEvents: events.map(({ posReference }) => posReference),
  };
}

export function signInTerminal(url: string, token: string, more: Record<string, unknown>): Promise<TestTerminal> {
  const connected = connectTerminal(url.replace("http", "ws"), { type: "AUTH", token, ...more });
  return withTimeout("a terminal's sign-in", connected);
}

async function readPages(terminal: TestTerminal): Promise<Pick<HubView, "tickets"> & { orders: StoredOrder[] }> {
  const orders = [...terminal.sync.orders];
  const tickets = [...(terminal.sync.tickets ?? [])];
  for (let page = terminal.sync; page.more;) {
    page = await terminal.next("SYNC");
    orders.push(...page.orders);
    tickets.push(...(page.tickets ?? []));
  }
  return { orders, tickets };
}

/** Returns an order through the operator API; null if it does not exist or was discarded. */
async function readOrder(url: string, token: string, posReference: string): Promise<StoredOrder | null> {
  const answer = await fetch(`${url}/operator/v1/orders/${encodeURIComponent(posReference)}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (answer.status === 404) return null;
  const { order, removed } = (await answer.json()) as { order: StoredOrder; removed: boolean };
  return removed ? null : order;
}

export async function health(url: string): Promise<HealthReport> {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(10_000) });
  return (await answer.json()) as HealthReport;
}

/** Returns whether health reports a problem with the data file. */
export async function reportsDataFile(url: string): Promise<boolean> {
  return (await health(url)).reasons.includes("data_file");
}

export async function getJson<T>(url: string, token: string): Promise<T> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`GET ${url}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  return (await answer.json()) as T;
}

export async function postJson<T>(url: string, headers: Record<string, string>, body: unknown): Promise<T> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  return (await answer.json()) as T;
}
