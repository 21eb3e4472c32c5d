import { describe, expect, it } from "vitest";
import { event, order } from "./builders.ts";
import { startTestBackOffice, type TestBackOffice } from "./start-test-back-office.ts";

const methodsPath = "/pos-api/v1/payments/methods";

async function withFaults(...faults: unknown[]): Promise<TestBackOffice> {
  const office = await startTestBackOffice();
  await office.stub("POST", "/faults", { faults });
  return office;
}

/** Resolves when the request has arrived at the stand-in. */
async function arrived(office: TestBackOffice, path: string): Promise<void> {
  for (;;) {
    const { requests } = await office.stub("GET", "/requests");
    if (requests.some((request: { path: string }) => request.path === path)) return;
  }
}

/** Returns the status of a call, or "cut" if the connection was cut. */
function outcome(call: Promise<{ status: number }>): Promise<number | "cut"> {
  return call.then(
    (answer) => answer.status,
    () => "cut",
  );
}

describe("faults", () => {
  it("a fault answers with its status and body instead of processing, as often as it says [BO-70]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const faults = [
      { path: "/pos-api/v1/hub/*", method: "post", action: "status", status: 503, body: { a: 1 }, times: 2 },
    ];
    expect(await office.stub("POST", "/faults", { faults })).toEqual({ faults });
    expect(await post("/hub/finalize", event(1, "POS/1"))).toMatchObject({ status: 503, body: { a: 1 } });
    expect((await post("/payments/methods")).status).toBe(200);
    expect((await office.call("GET", "/pos-api/v1/hub/finalize")).status).toBe(404);
    expect((await post("/hub/batch-sync", { events: [event(1, "POS/1")] })).status).toBe(503);
    expect((await office.stub("GET", "/orders")).orders).toEqual([]);
    expect((await post("/hub/finalize", event(1, "POS/1"))).body.status).toBe("finalized");
  });

  it("faults are matched in their sequence, one per request, and replaced as a whole [BO-71]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    const statuses = async (count: number): Promise<number[]> => {
      const answered: number[] = [];
      for (let index = 0; index < count; index += 1) answered.push((await post("/payments/methods")).status);
      return answered;
    };
    await office.stub("POST", "/faults", {
      faults: [
        { path: methodsPath, action: "status", status: 500, times: 1 },
        { path: "/pos-api/*", action: "status", status: 502, times: 2 },
        { path: "*/methods", action: "none", times: 1 },
        { path: "*", method: "GET", action: "status", status: 418 },
      ],
    });
    expect(await statuses(5)).toEqual([500, 502, 502, 200, 200]);
    await office.stub("POST", "/faults", { faults: [{ path: methodsPath, action: "status", status: 429 }] });
    expect(await statuses(3)).toEqual([429, 429, 429]);
    expect(await office.stub("DELETE", "/faults")).toEqual({ faults: [] });
    expect(await statuses(1)).toEqual([200]);
  });

  it("a fault drops the connection before or after the work [BO-72]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    await office.stub("POST", "/faults", {
      faults: [
        { path: "/pos-api/v1/orders/create", action: "drop-before", times: 1 },
        { path: "/pos-api/v1/orders/create", action: "drop-after", times: 1 },
      ],
    });
    expect(await outcome(post("/orders/create", order("POS/1")))).toBe("cut");
    expect((await office.stub("GET", "/orders")).orders).toEqual([]);
    expect(await outcome(post("/orders/create", order("POS/1")))).toBe("cut");
    expect((await office.stub("GET", "/orders")).orders).toHaveLength(1);
    expect((await post("/orders/create", order("POS/1"))).body.existing).toBe(true);
  });

  it("a fault hangs before or after the work until it is cleared, which cuts the connection [BO-73]", async () => {
    for (const [action, stored] of [
      ["hang-before", 0],
      ["hang-after", 1],
    ] as const) {
      const office = await startTestBackOffice();
      const post = await office.signIn("cashier");
      await office.stub("POST", "/faults", { faults: [{ path: "/pos-api/v1/orders/create", action }] });
      const held = outcome(post("/orders/create", order("POS/1")));
      await arrived(office, "/pos-api/v1/orders/create");
      await expect.poll(async () => (await office.stub("GET", "/orders")).orders.length).toBe(stored);
      expect((await office.stub("GET", "/requests")).requests.at(-1)).toMatchObject({ status: null, fault: action });
      await office.stub("DELETE", "/faults");
      expect(await held).toBe("cut");
      expect((await office.stub("GET", "/orders")).orders).toHaveLength(stored);
    }
  });

  it("a fault's latency comes first, and clearing the faults cuts a waiting connection [BO-74]", async () => {
    const office = await withFaults(
      { path: "/web/session/check", latencyMs: 40, times: 1 },
      { path: "/web/session/check", latencyMs: 3_600_000, action: "status", status: 500 },
    );
    const check = () => office.call("POST", "/web/session/check", { params: {} });
    expect((await check()).status).toBe(200);
    expect((await office.stub("GET", "/requests")).requests).toMatchObject([{ status: 200, fault: "none" }]);
    const waiting = outcome(check());
    await expect.poll(async () => (await office.stub("GET", "/requests")).requests.length).toBe(2);
    await office.stub("DELETE", "/faults");
    expect(await waiting).toBe("cut");
  });

  it("faults apply to session endpoints and unknown paths, never to the control surface [BO-75]", async () => {
    const office = await withFaults({ path: "*", action: "status", status: 503 });
    expect((await office.call("POST", "/web/session/authenticate", {})).status).toBe(503);
    expect((await office.call("GET", "/nowhere?x=1")).status).toBe(503);
    expect((await office.call("GET", "/stub/v1/orders")).status).toBe(200);
    expect((await office.stub("GET", "/requests")).requests).toHaveLength(2);
  });
});

describe("request log", () => {
  it("the request log has each request's body, status and fault, without query and passwords [BO-76]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    await office.stub("POST", "/faults", { faults: [{ path: "/x", action: "status", status: 500 }] });
    await post("/payments/methods", { a: [1] });
    await office.call("GET", "/x?secret=1");
    await office.call("POST", "/y", "{oops");
    const { requests } = await office.stub("GET", "/requests");
    const at = expect.any(Number);
    expect(requests).toEqual([
      {
        n: 1,
        at,
        method: "POST",
        path: "/web/session/authenticate",
        body: { jsonrpc: "2.0", method: "call", id: 1, params: { db: "demo", login: "waiter" } },
        status: 200,
        fault: null,
      },
      { n: 2, at, method: "POST", path: methodsPath, body: { a: [1] }, status: 200, fault: null },
      { n: 3, at, method: "GET", path: "/x", body: null, status: 500, fault: "status" },
      { n: 4, at, method: "POST", path: "/y", body: null, status: 404, fault: null },
    ]);
    expect(await office.stub("DELETE", "/requests")).toEqual({ requests: [] });
    expect((await office.stub("GET", "/requests")).requests).toEqual([]);
  });

  it("the request log has the last 2000 requests [BO-77]", async () => {
    const office = await startTestBackOffice();
    for (let round = 0; round < 41; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => office.call("GET", "/x")));
    }
    const { requests } = await office.stub("GET", "/requests");
    expect(requests).toHaveLength(2000);
    expect([requests[0].n, requests.at(-1).n]).toEqual([51, 2050]);
  });
});

describe("control surface", () => {
  it("an invalid control call is refused and changes nothing [BO-79]", async () => {
    const office = await startTestBackOffice();
    const bad: [string, unknown][] = [
      ["/session", {}],
      ["/session", { open: "yes" }],
      ["/session", undefined],
      ["/min-client-version", { version: "new" }],
      ["/min-client-version", {}],
      ["/releases", { target: "web", release: null }],
      ["/releases", { target: "android", release: { version: "1.0.0" } }],
      ["/faults", { faults: [{ path: "/x", action: "explode" }] }],
      ["/faults", { faults: [{ path: "/x", action: "status" }] }],
      ["/faults", { faults: [{ action: "none" }] }],
      ["/faults", { faults: {} }],
      ["/faults", [1]],
      ["/ncf", { type: "B15", remaining: 1 }],
      ["/ncf", { type: "B02", remaining: -1 }],
      ["/ncf", "{oops"],
      ["/hub", {}],
      ["/quirks", { envelope: "on" }],
      ["/quirks", { unknown: true }],
    ];
    for (const [path, body] of bad) {
      expect(await office.call("POST", `/stub/v1${path}`, body)).toMatchObject({
        status: 400,
        body: { error: expect.any(String), errorCode: "VALIDATION_ERROR" },
      });
    }
    const post = await office.signIn("waiter");
    expect((await post("/bootstrap")).body).toMatchObject({ session: { state: "opened" }, minClientVersion: null });
  });

  it("control calls list customers with their credit, and set bootstrap's hub address and mode [BO-80]", async () => {
    const office = await startTestBackOffice();
    const { customers } = await office.stub("GET", "/customers");
    expect(customers.filter((one: { creditLimit: number }) => one.creditLimit > 0)).toHaveLength(3);
    expect(customers.filter((one: { creditLimit: number }) => one.creditLimit === 0)).toHaveLength(2);
    expect(await office.stub("POST", "/hub", { hubMode: true })).toEqual({ hubMode: true });
    await office.stub("POST", "/hub", { hubAddress: "ws://192.168.1.5:8766", hubMode: false });
    const post = await office.signIn("waiter");
    expect((await post("/bootstrap")).body.config).toMatchObject({
      hubAddress: "ws://192.168.1.5:8766",
      hubMode: false,
    });
  });
});
