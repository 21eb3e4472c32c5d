// @module-tag long
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PRACTICE_IDLE_MS, type PracticeEntry, type StoredOrder } from "@comanda/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { connectTerminal, type TestTerminal } from "../support/connect-terminal.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf } from "../support/operator.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";
import { until } from "../support/until.ts";

/** Connects a signed-in terminal to the practice hub through the real hub. */
async function train(hub: TestHub, login = "cashier"): Promise<TestTerminal & { token: string }> {
  const token = await enter(hub, login);
  const terminal = await connectTerminal(`ws://127.0.0.1:${hub.port}/practice/`, {
    type: "AUTH",
    token,
    deviceId: `practice-${login}`,
  });
  onTestFinished(terminal.close);
  return { ...terminal, token };
}

async function enter(hub: TestHub, login: string): Promise<string> {
  const answer = await terminalApiOf(hub)("enterPractice", { token: await hub.signIn(login) });
  expect(answer.status).toBe(200);
  return (answer.body as PracticeEntry).token;
}

async function sell(
  terminal: TestTerminal,
  posReference: string,
  overrides: Record<string, unknown> = {},
): Promise<void> {
  const line = { id: "1", productId: 101, name: "Mofongo", quantity: 1, unitPrice: 100, total: 100 };
  await terminal.change({
    type: "ORDER_UPSERT",
    posReference,
    baseVersion: 0,
    snapshot: { orderType: "takeout", lines: [line] },
  });
  await terminal.change({ type: "ORDER_SEND", posReference, baseVersion: 1 });
  const payments = [{ methodId: 1, amount: 100 }];
  await terminal.change({ type: "ORDER_PAY", posReference, baseVersion: 2, payments, ...overrides });
}

const filesOf = (hub: TestHub): string => `${hub.dbPath}.practice`;

// Each test starts a second hub from source.
describe("practice", () => {
  it("practice has the restaurant's menu and floors, and never reaches the real hub or the back-office [TOUCH-180]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const real = await hub.terminal({ login: "cashier" });
    const trainee = await train(hub);
    const practice = { Authorization: `Bearer ${trainee.token}` };
    const [menu, realMenu, floors, realFloors] = await Promise.all([
      hub.send("GET", "/practice/terminal/v1/menu", { headers: practice }),
      terminalApiOf(hub)("menu"),
      hub.send("GET", "/practice/terminal/v1/floors", { headers: practice }),
      terminalApiOf(hub)("floors"),
    ]);
    expect((menu.body as { products: unknown }).products).toEqual((realMenu.body as { products: unknown }).products);
    expect((floors.body as { floors: unknown }).floors).toEqual((realFloors.body as { floors: unknown }).floors);
    expect(trainee.hello.user).toMatchObject({ role: "cashier" });
    expect(trainee.hello.hubId).not.toBe(real.hello.hubId);

    const before = real.received.length;
    const requestsBefore = await hub.backOffice.control("GET", "/orders");
    await sell(trainee, "T/1");
    const closed = await trainee.next("ORDER_CHANGED", ({ order }) => order.snapshot.status === "closed");
    expect(closed.order.posReference).toBe("T/1");
    // The real hub's change arrives after anything that the practice could have caused.
    await real.change({
      type: "ORDER_UPSERT",
      posReference: "R/1",
      baseVersion: 0,
      snapshot: { orderType: "takeout", lines: [] },
    });
    const received = real.received.slice(before).filter(({ type }) => type !== "HUB_STATUS");
    expect(JSON.stringify(received)).not.toContain("T/1");
    expect(hub.hub.health()).toMatchObject({ pendingForward: 0, connectedTerminals: 1 });
    expect(await hub.backOffice.control("GET", "/orders")).toEqual(requestsBefore);
    const listed = await hub.send("GET", "/operator/v1/terminals", {
      headers: { Authorization: `Bearer ${await hub.signIn("manager")}` },
    });
    expect(JSON.stringify(listed.body)).not.toContain("practice-cashier");
  });

  it("practice refunds with its own credit notes, without calling the back-office [TOUCH-345]", async () => {
    const hub = await startTestHub({ ownBackOffice: true });
    const trainee = await train(hub, "manager");
    await sell(trainee, "T/1", { fiscal: { type: "E32" } });
    await trainee.next("ORDER_CHANGED", ({ order }) => order.snapshot.status === "closed");
    const refundId = crypto.randomUUID();
    const body = { posReference: "T/1", refundId, reason: "práctica", refund: [{ methodId: 1, amount: 100 }] };
    const headers = { Authorization: `Bearer ${trainee.token}` };
    const ask = () => hub.send("POST", "/practice/terminal/v1/refunds", { headers, body });
    const created = await ask();
    expect(created).toMatchObject({
      status: 200,
      body: { refund: { state: "made", ncf: expect.stringMatching(/^E34000/), total: 100 } },
    });
    expect((await ask()).body).toEqual(created.body);
    const { numbers } = await hub.backOffice.control("GET", "/ncf");
    expect(numbers).toEqual([]);
  });

  it("the practice kitchen sees, starts and finishes tickets by itself [TOUCH-181]", async () => {
    const hub = await startTestHub();
    const trainee = await train(hub);
    const states = (posReference: string) =>
      trainee.received.flatMap((message) =>
        message.type === "TICKET_CHANGED" && message.ticket.posReference === posReference
          ? message.ticket.lines.map(({ state }) => state)
          : [],
      );
    await sell(trainee, "T/2");
    const { ticket } = await trainee.next("TICKET_CHANGED", (message) => message.ticket.posReference === "T/2");
    await trainee.change({ type: "KITCHEN_SEEN", kitchenTicketId: ticket.id, stationId: "cocina" });
    await sell(trainee, "T/3");
    await until("the later ticket is ready", () => states("T/3").includes("ready"), 25_000);
    expect([...new Set(states("T/3"))]).toEqual(["unseen", "seen", "started", "ready"]);
    // A person works on the earlier ticket, so the practice kitchen leaves it alone.
    expect(states("T/2").at(-1)).toBe("seen");
  });

  it("practice accepts everybody signed in at the hub, several at once, under their own names [TOUCH-182]", async () => {
    const hub = await startTestHub();
    const [waiter, cashier] = await Promise.all([train(hub, "waiter"), train(hub, "cashier")]);
    expect(waiter.hello.hubId).toBe(cashier.hello.hubId);
    expect([waiter.hello.user.role, cashier.hello.user.role]).toEqual(["waiter", "cashier"]);
    await sell(cashier, "T/3");
    await waiter.next("ORDER_CHANGED", ({ order }) => order.posReference === "T/3");
  });

  it("practice refuses callers who are not signed in, other hosts and origins, and other paths [TOUCH-183]", async () => {
    const hub = await startTestHub();
    const call = terminalApiOf(hub);
    expect((await call("enterPractice", { token: null })).status).toBe(401);
    expect((await call("enterPractice", { token: "made-up" })).status).toBe(401);
    expect((await call("resetPractice", { token: null })).status).toBe(401);
    expect(existsSync(filesOf(hub))).toBe(false);
    const trainee = await train(hub);
    const practice = { Authorization: `Bearer ${trainee.token}` };
    const menu = (headers: Record<string, string>) => hub.send("GET", "/practice/terminal/v1/menu", { headers });
    expect((await menu({})).status).toBe(401);
    // A session of the real hub is not valid in the practice, nor the reverse.
    expect((await menu({ Authorization: `Bearer ${await hub.signIn("waiter")}` })).status).toBe(401);
    expect((await hub.send("GET", "/terminal/v1/floors", { headers: practice })).status).toBe(401);
    expect((await menu({ ...practice, Host: "evil.example" })).status).toBe(421);
    expect((await menu({ ...practice, Origin: "http://evil.example" })).status).toBe(403);
    expect((await menu(practice)).status).toBe(200);
    for (const hidden of [
      "/practice/operator/v1/session",
      "/practice/external-keys",
      "/practice/health",
      "/practice",
    ]) {
      expect((await hub.send("GET", hidden, { headers: practice })).status).toBe(404);
    }
    const refused = new WebSocket(`ws://127.0.0.1:${hub.port}/practice/`, { origin: "http://evil.example" });
    const status = await new Promise((resolve) => {
      refused.on("error", () => {});
      refused.on("unexpected-response", (_request, response) => resolve(response.statusCode));
    });
    expect(status).toBe(403);
  });

  it("a trainee's reset empties practice, and its sessions continue [TOUCH-184]", async () => {
    const hub = await startTestHub();
    const trainee = await train(hub);
    await sell(trainee, "T/4");
    const answer = await terminalApiOf(hub)("resetPractice");
    expect(answer.status).toBe(200);
    await trainee.closed;
    // The same session continues.
    const again = await connectTerminal(`ws://127.0.0.1:${hub.port}/practice/`, {
      type: "AUTH",
      token: trainee.token,
      deviceId: "practice-cashier",
    });
    onTestFinished(again.close);
    expect(again.sync.orders satisfies StoredOrder[]).toEqual([]);
    expect(again.hello.hubId).not.toBe(trainee.hello.hubId);
  });

  it("practice ends after half an hour without use, and leaves no file [TOUCH-185]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const trainee = await train(hub);
    expect(existsSync(filesOf(hub))).toBe(true);
    clock.advance(PRACTICE_IDLE_MS - 1);
    await sell(trainee, "T/5");
    clock.advance(1);
    await trainee.closed;
    await until("the files are gone", () => !existsSync(filesOf(hub)));
  });

  it("a new practice lists nobody of the previous one [OP-195]", async () => {
    const clock = manualClock();
    const hub = await startTestHub({ world: clock.world });
    const call = operatorOf(hub);
    const trainee = await train(hub);
    expect((await call("practice")).body.people).toEqual([trainee.hello.user.name]);
    clock.advance(PRACTICE_IDLE_MS);
    await trainee.closed;
    await until("the files are gone", () => !existsSync(filesOf(hub)));
    expect((await call("beginPractice")).body.people).toEqual([]);
  });

  it("practice ends with the hub, and what a killed hub left is removed at the next start [TOUCH-185]", async () => {
    const hub = await startTestHub();
    const trainee = await train(hub);
    await hub.restart(() => {
      expect(existsSync(filesOf(hub))).toBe(false);
      mkdirSync(filesOf(hub));
      writeFileSync(path.join(filesOf(hub), "practice.sqlite"), "left");
    });
    await trainee.closed;
    await until("the files are gone", () => !existsSync(filesOf(hub)));
  });

  it("a manager starts, sees, resets and ends practice [OP-195, TOUCH-271]", async () => {
    const hub = await startTestHub();
    const call = operatorOf(hub);
    const none = { since: null, people: [], devices: 0 };
    expect((await call("practice")).body).toEqual(none);
    expect((await call("beginPractice", { token: await hub.signIn("waiter") })).status).toBe(403);
    expect((await call("beginPractice")).body).toMatchObject({ since: expect.any(String), people: [] });
    const trainee = await train(hub);
    expect((await call("practice")).body).toMatchObject({ people: [trainee.hello.user.name], devices: 1 });
    expect((await call("resetPractice")).body).toMatchObject({ since: expect.any(String), devices: 0 });
    await trainee.closed;
    const { since } = (await call("practice")).body;
    const again = await Promise.all([call("resetPractice"), call("resetPractice")]);
    for (const answer of again) expect(answer).toMatchObject({ status: 429, body: { errorCode: "RATE_LIMITED" } });
    expect((await call("practice")).body.since).toBe(since);
    expect((await call("endPractice")).body).toEqual(none);
    expect(existsSync(filesOf(hub))).toBe(false);
  });
});
