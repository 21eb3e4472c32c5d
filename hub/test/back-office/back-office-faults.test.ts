import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { takeoutOrder, terminalSnapshot } from "../support/builders.ts";
import type { TestTerminal } from "../support/connect-terminal.ts";
import {
  limitBody,
  startFaultyLine,
  type FaultyLine,
  type LineFault,
  type LineRequest,
} from "../support/faulty-line.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import type { World } from "../../platform/world.ts";
import { shortTimeouts } from "../support/short-timeouts.ts";
import { until } from "../support/until.ts";

const authenticate = "/web/session/authenticate";
const sessionInfo = "/web/session/get_session_info";
const batchSync = "/pos-api/v1/hub/batch-sync";
const finalize = "/pos-api/v1/hub/finalize";
const lookup = "/pos-api/v1/hub/lookup";

interface SentEvent {
  eventId: number;
  posReference: string;
}

let count = 0;

/** Returns references unique in this file: its tests share one back-office. */
function references(size: number): string[] {
  count += 1;
  return Array.from({ length: size }, (_, i) => `LINE-${count}-${String(i).padStart(3, "0")}.`);
}

/** Starts a hub behind a faulty line. `reached` records the log entries on whether the back-office was reachable. */
async function startHubBehindLine(env: Record<string, string> = {}, overrides: Partial<World> = {}) {
  const line = await startFaultyLine();
  const reached: boolean[] = [];
  const log = pino(
    { level: "info" },
    {
      write(text: string) {
        const entry = JSON.parse(text) as { reached?: boolean };
        if (entry.reached !== undefined) reached.push(entry.reached);
      },
    },
  );
  const hub = await startTestHub({
    line,
    env: { HUB_FORWARD_INTERVAL_MS: "200", ...env },
    world: { log, ...overrides },
  });
  await until("the back-office to be reached", () => reached.length > 0);
  return { hub, line, reached, till: await hub.terminal({ login: "cashier", deviceId: "till" }) };
}

const payment = { type: "ORDER_PAY", payments: [{ methodId: 1, amount: 100 }] };

async function payAll(till: TestTerminal, names: string[], overrides: Record<string, unknown> = {}): Promise<void> {
  for (const posReference of names) {
    await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot: terminalSnapshot(overrides) });
    await till.change({ ...payment, posReference, baseVersion: 1 });
  }
}

/** Pays all orders while the line is down, so all events are queued when the rule takes effect. */
async function payDuring(
  { till, line, reached }: { till: TestTerminal; line: FaultyLine; reached: boolean[] },
  names: string[],
  rule: (request: LineRequest) => LineFault | null,
): Promise<void> {
  await line.down();
  await payAll(till, names);
  await until("the line to be missed", () => reached.at(-1) === false);
  line.faults(rule);
  await line.up();
}

const health = async (hub: TestHub) => (await hub.send("GET", "/health")).body;

async function emptied(hub: TestHub, remaining = 0, timeoutMs?: number): Promise<void> {
  await until(`${remaining} to be left`, async () => (await health(hub)).pendingForward === remaining, timeoutMs);
}

async function booked(hub: TestHub, names: string[]): Promise<number[]> {
  const { orders } = (await hub.backOffice.control("GET", "/orders")) as {
    orders: { posReference: string; status: string }[];
  };
  return names.map((name) => orders.filter((order) => order.posReference === name && order.status === "paid").length);
}

async function refuseAll(hub: TestHub, posReferences: string[]): Promise<void> {
  const refuse = { posReferences, error: "period is locked", errorCode: "LOCKED" };
  await hub.backOffice.control("POST", "/faults", { faults: [{ refuse }] });
}

const all = (names: string[], n: number): number[] => names.map(() => n);
const carries = ({ path, raw }: LineRequest, name: string): boolean =>
  [batchSync, finalize].includes(path) && raw.includes(name);

describe("mismatched answers ", () => {
  it("late and duplicated answers close no refused payment [FWD-22]", async () => {
    const { hub, line, till } = await startHubBehindLine();
    const names = references(16);
    const bad = names.filter((_, i) => i % 2 === 1);
    await refuseAll(hub, names);
    await payAll(till, names);
    await until("each to be tried alone", () => names.every((name) => countRequests(line, finalize, name) > 0));
    line.faults(({ path }) => (path === finalize ? { kind: "twice", afterMs: 20 } : null));
    await refuseAll(hub, bad);
    await until("the others", async () => (await booked(hub, names)).filter((n) => n === 1).length === 8);
    const before = bad.map((name) => countRequests(line, finalize, name));
    await until("each refused one once more", () =>
      bad.every((name, i) => countRequests(line, finalize, name) > before[i]! + 1),
    );
    await emptied(hub, 8);
    expect(await booked(hub, bad)).toEqual(all(bad, 0));
    const { events } = (await operatorOf(hub)("forwardEvents", { query: { state: "done", limit: 100 } })).body;
    expect(events.map((event: { posReference: string }) => event.posReference).toSorted()).toEqual(
      names.filter((name) => !bad.includes(name)),
    );
  });

  it("an answer with other event ids settles nothing, and the orders are looked up [FWD-22]", async () => {
    const { hub, line, till, reached } = await startHubBehindLine({ HUB_FORWARD_BATCH_SIZE: "2" });
    const names = references(6);
    await refuseAll(hub, names.slice(2, 4));
    await payDuring({ till, line, reached }, names, ({ path }) => (path === batchSync ? { kind: "shift" } : null));
    await emptied(hub, 2);
    expect(await booked(hub, names)).toEqual([1, 1, 0, 0, 1, 1]);
    line.heal();
    await hub.backOffice.control("DELETE", "/faults");
    await emptied(hub);
    expect(await booked(hub, names)).toEqual(all(names, 1));
  });

  it("a batch that gets an older answer is sent again at once over another connection [FWD-22]", async () => {
    const { hub, line, till, reached } = await startHubBehindLine({
      HUB_FORWARD_INTERVAL_MS: "60000",
      HUB_STATE_POLL_MS: "200",
      HUB_FORWARD_BATCH_SIZE: "2",
    });
    const names = references(10);
    const used = new Set<number>();
    const older = { results: [{ eventId: 4711, status: "finalized", orderId: 1 }] };
    await payDuring({ till, line, reached }, names, ({ path, connection }) => {
      if (path !== batchSync) return null;
      if (used.has(connection)) return { kind: "json", status: 200, body: older };
      used.add(connection);
      return null;
    });
    await emptied(hub);
    expect(await booked(hub, names)).toEqual(all(names, 1));
    expect(used.size).toBe(5);
    expect(line.requests.filter(({ path }) => path === finalize)).toEqual([]);
  });

  it("a user is never signed in with the answer to another sign-in [FWD-22]", async () => {
    const { hub, line } = await startHubBehindLine();
    line.faults(({ path }) => (path === authenticate ? { kind: "shift" } : null));
    const call = operatorOf(hub);
    const signIn = (login: string) => call("signIn", { body: { login, password: login }, token: null });
    expect(await signIn("manager")).toMatchObject({ status: 200 });
    expect(await signIn("waiter")).toMatchObject({ status: 503, body: { errorCode: "UPSTREAM_UNAVAILABLE" } });
  });

  it("a waiter is never treated as a manager when answers are out of step [FWD-22]", async () => {
    const { hub, line } = await startHubBehindLine();
    const tokens = [await hub.signIn("manager"), await hub.signIn("waiter")];
    line.faults(({ path }) => (path === sessionInfo ? { kind: "shift" } : null));
    const call = operatorOf(hub);
    expect(await call("me", { token: tokens[0] ?? "" })).toMatchObject({ status: 200 });
    expect((await call("me", { token: tokens[1] ?? "" })).status).toBe(503);
    line.heal();
    expect((await call("me", { token: tokens[1] ?? "" })).status).toBe(403);
  });

  it("an order that batch answers always leave out is sent alone after three attempts [FWD-23]", async () => {
    const { hub, line, till, reached } = await startHubBehindLine();
    const names = references(7);
    const omitted = names[2] ?? "";
    await payDuring({ till, line, reached }, names, (request) => {
      if (request.path === lookup) return { kind: "html", status: 404 };
      if (request.path !== batchSync) return null;
      const { events } = JSON.parse(request.raw.toString("utf8")) as { events: SentEvent[] };
      const received = events.filter(({ posReference }) => posReference !== omitted);
      const results = received.map(({ eventId }) => ({ eventId, status: "finalized", orderId: eventId }));
      return { kind: "json", status: 200, body: { results }, carriedOut: true };
    });
    await emptied(hub);
    expect(await booked(hub, names)).toEqual(all(names, 1));
    expect(countRequests(line, finalize, omitted)).toBe(1);
    expect(countRequests(line, batchSync, omitted)).toBe(3);
    for (const name of names.filter((other) => other !== omitted)) expect(countRequests(line, batchSync, name)).toBe(1);
  });

  it("each identity check and finalize call uses a new connection [FWD-21]", async () => {
    const { hub, line, till } = await startHubBehindLine();
    const names = references(3);
    await refuseAll(hub, names);
    await payAll(till, names);
    await until("each to be tried alone", () => names.every((name) => countRequests(line, finalize, name) > 0));
    for (const login of ["waiter", "manager"]) await hub.terminal({ login, deviceId: login });
    const own = line.requests.filter(({ path }) => [authenticate, sessionInfo, finalize].includes(path));
    const alone = own.filter(
      ({ connection }) => line.requests.filter((request) => request.connection === connection).length === 1,
    );
    expect(alone).toEqual(own);
  });
});

describe("a batch that fails as a whole", () => {
  const isPoisoned = (fault: LineFault, poison: string) => (request: LineRequest) =>
    carries(request, poison) ? fault : null;

  it.each<[string, LineFault]>([
    ["a proxy's page for 502", { kind: "html", status: 502 }],
    ["a page for 200", { kind: "html", status: 200 }],
    ["a page for 403", { kind: "html", status: 403 }],
    ["413", { kind: "html", status: 413 }],
    ["a reset", { kind: "reset" }],
    ["500", { kind: "json", status: 500, body: { error: "internal error", errorCode: "INTERNAL_ERROR" } }],
    ["JSON of another shape", { kind: "json", status: 200, body: { hello: "world" } }],
    ["no results", { kind: "json", status: 200, body: { results: [] } }],
  ])("an order answered with %s does not hold up the others of its batch [FWD-25, FWD-29]", async (_, fault) => {
    const { hub, line, till, reached } = await startHubBehindLine();
    const names = references(30);
    const poison = names[13] ?? "";
    await payDuring({ till, line, reached }, names, isPoisoned(fault, poison));
    await until("the back-office to be reached again", () => reached.at(-1) === true);
    const countBefore = reached.length;
    await emptied(hub, 1);
    await until("the attempt alone", () => line.requests.some((r) => r.path === finalize && carries(r, poison)));
    expect(await booked(hub, names)).toEqual(names.map((name) => (name === poison ? 0 : 1)));
    expect(line.requests.filter((r) => r.path === finalize && !carries(r, poison))).toEqual([]);
    expect(reached.slice(countBefore)).toEqual([]);
    line.heal();
    await emptied(hub);
    expect(await booked(hub, names)).toEqual(all(names, 1));
  });

  it("an order that makes the back-office hang does not hold up the others of its batch [FWD-25]", async () => {
    const { hub, line, till, reached } = await startHubBehindLine(
      { HUB_FORWARD_BATCH_SIZE: "2" },
      { timers: shortTimeouts().timers },
    );
    const names = references(4);
    const poison = names[0] ?? "";
    await payDuring({ till, line, reached }, names, isPoisoned({ kind: "hang" }, poison));
    await emptied(hub, 1);
    expect(await booked(hub, names)).toEqual([0, 1, 1, 1]);
    await until("the attempt alone", () => line.requests.some(({ path }) => path === finalize));
    line.heal();
    await emptied(hub);
    expect(await booked(hub, names)).toEqual(all(names, 1));
  });

  it("an unanswered single order holds up neither new payments nor other single orders [FWD-28]", async () => {
    const { hub, line, till, reached } = await startHubBehindLine();
    const [first = "", second = "", late = ""] = references(3);
    await refuseAll(hub, [first, second]);
    await payDuring({ till, line, reached }, [first, second], ({ path }) =>
      path === finalize ? { kind: "html", status: 502, afterMs: 500 } : null,
    );
    await until("the first attempt alone", () => countRequests(line, finalize, first) > 0);
    await payAll(till, [late]);
    await until("the second attempt alone", () => countRequests(line, finalize, second) > 0);
    const sent = line.requests.filter((r) => carries(r, late) || (r.path === finalize && carries(r, second)));
    expect(sent.slice(0, 2).map(({ path }) => path)).toEqual([batchSync, finalize]);
  });

  it("full batches are sent again once the line is back, however it failed [FWD-26]", async () => {
    const { hub, line, till } = await startHubBehindLine({ HUB_FORWARD_BATCH_SIZE: "5" });
    const names = references(20);
    await line.down();
    await payAll(till, names);
    line.faults(({ path }) => (path.startsWith("/pos-api/") ? { kind: "reset" } : null));
    await line.up();
    await until("many attempts", () => line.requests.filter(({ path }) => path === batchSync).length > 6);
    const before = line.requests.length;
    line.heal();
    await emptied(hub);
    const sizes = line.requests.slice(before).flatMap(({ path, raw }) => (path === batchSync ? [eventsOf(raw)] : []));
    expect(sizes).toEqual([5, 5, 5, 5]);
    expect(line.requests.filter(({ path }) => path === finalize)).toEqual([]);
  });

  it("batches stay within 512 KiB to pass a 1 MiB proxy, and a larger order is sent alone [FWD-27]", async () => {
    const { hub, line, till, reached } = await startHubBehindLine();
    // Only an order created by an integration may be this large.
    const { posReference: large } = (await hub.external().post("/orders", takeoutOrder())).body;
    const names = [...references(10), large];
    await line.down();
    await payAll(till, names.slice(0, 5), { note: "x".repeat(150 * 1024) });
    const snapshot = terminalSnapshot({ note: "x".repeat(600 * 1024) });
    await till.change({ type: "ORDER_UPSERT", posReference: large, baseVersion: 1, snapshot });
    await till.change({ ...payment, posReference: large, baseVersion: 2 });
    await payAll(till, names.slice(5, 10), { note: "ñ".repeat(75 * 1024) });
    line.faults(limitBody(1024 * 1024));
    await line.up();
    await emptied(hub);
    expect(await booked(hub, names)).toEqual(all(names, 1));
    const sent = line.requests.filter(({ path }) => path === batchSync);
    const [larger, fitting] = [true, false].map((is) => sent.filter(({ raw }) => raw.length > 512 * 1024 === is));
    expect(larger?.map(({ raw }) => eventsOf(raw))).toEqual([1]);
    expect(Math.max(...(fitting ?? []).map(({ raw }) => eventsOf(raw)))).toBeGreaterThan(1);
    expect(reached.at(-1)).toBe(true);
  });

  it("batches shrink until a proxy with a 4 KiB limit accepts them [FWD-25]", async () => {
    const { hub, line, till, reached } = await startHubBehindLine();
    const names = references(40);
    await payDuring({ till, line, reached }, names, limitBody(4 * 1024));
    await emptied(hub);
    expect(await booked(hub, names)).toEqual(all(names, 1));
    expect(line.requests.filter(({ path }) => path === finalize)).toEqual([]);
  });
});

describe("an unknown outcome ", () => {
  it.each<[string, LineFault]>([
    ["lost", { kind: "reset", carriedOut: true }],
    ["a page", { kind: "html", status: 502, carriedOut: true }],
    ["cut off", { kind: "cut" }],
    ["half of it", { kind: "halve" }],
    ["of another shape", { kind: "json", status: 200, body: {}, carriedOut: true }],
  ])("the outcome of a batch is looked up when the answer is %s [FWD-24]", async (_, fault) => {
    const { hub, line, till, reached } = await startHubBehindLine();
    const names = references(3);
    await payDuring({ till, line, reached }, names, ({ path }) => (path === batchSync ? fault : null));
    await emptied(hub);
    expect(line.requests.filter(({ path }) => path === batchSync)).toHaveLength(1);
    expect(line.requests.filter(({ path }) => path === finalize)).toEqual([]);
    expect(await booked(hub, names)).toEqual(all(names, 1));
    const { events } = (await operatorOf(hub)("forwardEvents", { query: { state: "done" } })).body;
    const { attempts } = (await operatorOf(hub)("forwardEvent", { params: { eventId: events[0].eventId } })).body;
    expect(attempts).toMatchObject([{ outcome: "finalized" }]);
  });

  it("the outcome of an order sent alone is looked up when the answer is cut in half [FWD-24]", async () => {
    const { hub, line, till } = await startHubBehindLine();
    const names = references(2);
    await refuseAll(hub, names);
    await payAll(till, names);
    await until("each to be tried alone", () => names.every((name) => countRequests(line, finalize, name) > 0));
    line.faults(({ path }) => (path === finalize ? { kind: "halve" } : null));
    await hub.backOffice.control("DELETE", "/faults");
    await emptied(hub);
    expect(await booked(hub, names)).toEqual(all(names, 1));
  });

  it("a batch with an unknown outcome is sent again where the back-office has no lookup [FWD-20, FWD-24]", async () => {
    const { hub, line, till, reached } = await startHubBehindLine();
    const names = references(4);
    await payDuring({ till, line, reached }, names, ({ path }) => {
      if (path === batchSync) return { kind: "reset", carriedOut: true };
      return path === lookup ? { kind: "html", status: 404 } : null;
    });
    await emptied(hub);
    expect(await booked(hub, names)).toEqual(all(names, 1));
  });

  it("an order that the back-office has with another total is set aside for a person [FWD-24]", async () => {
    const { hub, line, till, reached } = await startHubBehindLine();
    const [same = "", other = ""] = references(2);
    const token = await hub.signIn("hub");
    const call = (posReference: string, total: number) =>
      fetch(`${hub.backOffice.url}${finalize}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({
          eventId: "another-till",
          posReference,
          order: {
            posReference,
            snapshot: { status: "paid", lines: [], totals: { subtotal: total, tax: 0, total }, payments: [] },
          },
        }),
      });
    await call(same, 100);
    await call(other, 118);
    await payDuring({ till, line, reached }, [same, other], ({ path }) =>
      path === batchSync ? { kind: "html", status: 502 } : null,
    );
    const received = await till.next("ORDER_CHANGED", (message) => message.order.forward?.state === "attention");
    const error = "the back-office has this order with a total of 118.00, but 100.00 was paid here";
    expect(received.order).toMatchObject({ posReference: other, forward: { error } });
    expect(await health(hub)).toMatchObject({ pendingForward: 1, reasons: ["attention"], totalForwarded: 1 });
  });
});

function eventsOf(raw: Buffer): number {
  return (JSON.parse(raw.toString("utf8")) as { events: unknown[] }).events.length;
}

/** Returns how many requests to `path` carried this reference. */
function countRequests(line: FaultyLine, path: string, name: string): number {
  return line.requests.filter((request) => request.path === path && request.raw.includes(name)).length;
}
