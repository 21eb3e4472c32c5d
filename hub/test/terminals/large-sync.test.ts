import type { HubMessage, HubMessageOf } from "@comanda/protocol";
import { expect, it } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { RECORDS_PER_SLICE } from "../../terminals/sync/sync-content.ts";
import { terminalSnapshot } from "../support/builders.ts";
import { connectTerminal, type TestTerminal } from "../support/connect-terminal.ts";
import { pino } from "pino";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { until } from "../support/until.ts";

const ORDERS = 6 * RECORDS_PER_SLICE;
const BATCH = 50;

const orderOf = (n: number): string => `Orden ${n}`;
const write = (n: number, baseVersion = 0, guestCount = 1, overrides: Record<string, unknown> = {}) => ({
  posReference: orderOf(n),
  baseVersion,
  snapshot: terminalSnapshot({ guestCount, ...overrides }),
});

/** Starts a hub with hundreds of open orders, each with a ticket and the fields of `overrides`. */
async function busyHub(overrides: Record<string, unknown> = {}) {
  const turns = { count: 0 };
  const base = realWorld(pino({ level: "silent" }));
  const setImmediate = (work: () => void): void => {
    turns.count += 1;
    base.timers.setImmediate(work);
  };
  const hub = await startTestHub({ world: { ...base, timers: { ...base.timers, setImmediate } } });
  const till = await hub.terminal();
  for (let from = 0; from < ORDERS; from += BATCH) {
    const orders = Array.from({ length: BATCH }, (_, n) => write(from + n, 0, 1, overrides));
    await till.change({ type: "ORDER_BATCH", orders });
    await Promise.all(orders.map(({ posReference }) => till.change({ type: "ORDER_SEND", posReference })));
  }
  return { hub, till, turns };
}

/** Waits for all pages of a terminal's first SYNC. */
async function pagesOf(terminal: TestTerminal): Promise<HubMessageOf<"SYNC">[]> {
  const pages = [terminal.sync];
  while (pages.at(-1)?.more === true) pages.push(await terminal.next("SYNC"));
  return pages;
}

async function newcomer(hub: TestHub): Promise<TestTerminal> {
  const auth = { type: "AUTH", token: await hub.signIn("cashier"), deviceId: crypto.randomUUID(), caps: ["batch"] };
  return connectTerminal(hub.url.replace("http", "ws"), auth);
}

const isChange = (message: HubMessage): message is HubMessageOf<"ORDER_CHANGED"> => message.type === "ORDER_CHANGED";

/** Returns the `seq` that messages lead to from `from`. Checks that no change is skipped other than by a SYNC. */
function seqAfter(messages: readonly HubMessage[], from: number, changes: readonly number[]): number {
  let reached = from;
  for (const message of messages) {
    if (message.type === "SYNC") reached = message.seq;
    if (!isChange(message)) continue;
    expect(message.seq).toBe(changes.find((seq) => seq > reached));
    reached = message.seq;
  }
  return reached;
}

it("a large SYNC is built over many turns, and changes made meanwhile follow it, once and in order [TERM-174]", async () => {
  const { hub, till, turns } = await busyHub();
  let isDone = false;
  const versions = new Map<number, number>();
  const writing = (async () => {
    let version = 2;
    for (let guests = 1; !isDone; guests += 1) {
      const ack = await till.change({ type: "ORDER_UPSERT", ...write(0, version, guests) });
      version = ack.version ?? 0;
      versions.set(Number(ack.seq), version);
    }
  })();
  const before = turns.count;
  const terminal = await newcomer(hub);
  const pages = await pagesOf(terminal);
  isDone = true;
  await writing;
  // The hub yields between slices of orders and of tickets.
  expect(turns.count - before).toBeGreaterThan((2 * ORDERS) / RECORDS_PER_SLICE - 1);
  expect(pages.length).toBeGreaterThan(1);
  expect(new Set(pages.map(({ seq }) => seq)).size).toBe(1);

  const { seq } = terminal.sync;
  const orders = pages.flatMap((page) => page.orders);
  expect(orders.map(({ posReference }) => posReference).toSorted()).toEqual(
    Array.from({ length: ORDERS }, (_, n) => orderOf(n)).toSorted(),
  );
  expect(pages.flatMap((page) => page.tickets)).toHaveLength(ORDERS);
  const inSync = orders.find(({ posReference }) => posReference === orderOf(0))?.version;
  const written = [...versions].filter(([at]) => at <= seq).map(([, version]) => version);
  expect(inSync).toBe(Math.max(2, ...written));

  const after = [...versions.keys()].filter((at) => at > seq);
  expect(after.length).toBeGreaterThan(0);
  const lastPage = terminal.received.indexOf(pages.at(-1)!);
  const reachedSeq = (): number => seqAfter(terminal.received.slice(lastPage + 1), seq, after);
  await until("the newest state", () => reachedSeq() >= (after.at(-1) ?? 0));
  expect(terminal.received.slice(0, lastPage).some(isChange)).toBe(false);
});

it("a RESYNC with a large SYNC is answered in one piece, and requests made meanwhile after it [TERM-174]", async () => {
  const { hub, till } = await busyHub();
  const terminal = await newcomer(hub);
  await pagesOf(terminal);
  terminal.send({ type: "RESYNC", requestId: "again" });
  const mine = terminal.change({ type: "ORDER_UPSERT", ...write(1, 2, 9) });
  const theirs = till.change({ type: "ORDER_UPSERT", ...write(2, 2, 9) });
  const [own, other] = await Promise.all([mine, theirs]);
  const pages: HubMessageOf<"SYNC">[] = [];
  do pages.push(await terminal.next("SYNC", ({ requestId }) => requestId === "again"));
  while (pages.at(-1)?.more === true);
  const at = pages[0]?.seq ?? 0;
  // No other message may come between the pages: it would describe another state.
  const [first, last] = [terminal.received.indexOf(pages[0]!), terminal.received.indexOf(pages.at(-1)!)];
  expect(terminal.received.slice(first, last + 1)).toEqual(pages);
  for (const { seq, posReference } of [own, other]) {
    const synced = pages.flatMap((page) => page.orders).find((order) => order.posReference === posReference);
    expect(synced?.version).toBe(Number(seq) > at ? 2 : 3);
  }
});

it("SYNCs requested meanwhile follow the last page, and changes follow them [TERM-46]", { tags: "long" }, async () => {
  const lines = Array.from({ length: 10 }, (_, n) => ({
    id: `l${n}`,
    productId: 101,
    quantity: 1,
    unitPrice: 1,
    total: 1,
    note: "x".repeat(400),
  }));
  const { hub, till } = await busyHub({ lines });
  const [terminal, other] = [await newcomer(hub), await newcomer(hub)];
  await Promise.all([pagesOf(terminal), pagesOf(other)]);
  // Requests that arrive during another terminal's SYNC are answered from one cut.
  other.send({ type: "RESYNC", requestId: "theirs" });
  await other.next("SYNC");
  for (const requestId of ["first", "second"]) terminal.send({ type: "RESYNC", requestId });
  await terminal.next("SYNC", ({ requestId }) => requestId === "first");
  const { hubId, epoch } = terminal.hello;
  terminal.send({ type: "RESYNC", requestId: "delta", since: { hubId, epoch, seq: terminal.sync.seq } });
  let isDone = false;
  const writing = (async () => {
    for (let version = 2; !isDone; version += 1)
      await till.change({ type: "ORDER_UPSERT", ...write(0, version, version) });
  })();
  for (const requestId of ["first", "second", "delta"])
    await terminal.next("SYNC", (page) => page.requestId === requestId && !page.more);
  isDone = true;
  await writing;
  let open: string | undefined;
  for (const message of terminal.received) {
    const name = message.type === "SYNC" ? `SYNC ${message.requestId}` : message.type;
    if (open !== undefined) expect(name).toBe(open);
    open = message.type === "SYNC" && message.more ? name : undefined;
  }
});

it("the hub stops while a terminal waits for a large SYNC [TERM-174]", async () => {
  const { hub } = await busyHub();
  const joining = newcomer(hub).catch(() => null);
  await hub.hub.stop();
  await joining;
  await hub.restart();
  expect((await pagesOf(await newcomer(hub))).flatMap((page) => page.orders)).toHaveLength(ORDERS);
});
