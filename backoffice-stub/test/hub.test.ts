import { BatchSyncAnswer, BatchSyncResult } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { event, forwarded, line, order } from "./builders.ts";
import { startTestBackOffice } from "./start-test-back-office.ts";

describe("hub/batch-sync", () => {
  it("a batch finalizes each event, with its result in its place and one audit event each [BO-40]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const answer = await post("/hub/batch-sync", { hubId: "h1", events: [event(11, "POS/1"), event("e2", "POS/2")] });
    expect(answer.status).toBe(200);
    const { results } = BatchSyncAnswer.parse(answer.body);
    expect(results).toEqual([
      { eventId: 11, status: "finalized", orderId: expect.any(Number) },
      { eventId: "e2", status: "finalized", orderId: expect.any(Number) },
    ]);
    expect((await office.stub("GET", "/orders")).orders).toEqual(
      ["POS/1", "POS/2"].map((posReference, index) => ({
        id: results[index]?.orderId,
        posReference,
        status: "paid",
        ncf: null,
        total: 118,
        source: "hub",
        order: forwarded(posReference),
      })),
    );
    expect((await office.stub("GET", "/audit-events")).events).toEqual([
      { id: 1, type: "hub_finalize", posReference: "POS/1", eventId: 11, createdAt: expect.stringMatching(/Z$/) },
      { id: 2, type: "hub_finalize", posReference: "POS/2", eventId: "e2", createdAt: expect.stringMatching(/Z$/) },
    ]);
  });

  it("an order whose lines do not add up to its total fails while verifyTotals is on [BO-135]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const mismatched = { subtotal: 100, tax: 18, total: 118.03 };
    const events = [
      event(1, "POS/1", forwarded("POS/1", { totals: mismatched })),
      event(2, "POS/2", forwarded("POS/2", { totals: { ...mismatched, total: 118.02 } })),
      event(3, "POS/3", forwarded("POS/3", { totals: mismatched, adjustments: [{ kind: "rounding", amount: 0.03 }] })),
      event(4, "POS/4", forwarded("POS/4", { lines: [line("l1", 118), line("l2", 40, { voided: true })] })),
    ];
    await office.stub("POST", "/quirks", { verifyTotals: true });
    const { results } = BatchSyncAnswer.parse((await post("/hub/batch-sync", { hubId: "h1", events })).body);
    const error = "the total is 118.03, but the lines and adjustments add up to 118";
    expect(results).toMatchObject([
      { eventId: 1, status: "failed", errorCode: "TOTALS_MISMATCH", error },
      { eventId: 2, status: "finalized" },
      { eventId: 3, status: "finalized" },
      { eventId: 4, status: "finalized" },
    ]);
    expect(await post("/hub/finalize", events[0] ?? {})).toMatchObject({ status: 422, body: { error } });
    await office.stub("DELETE", "/quirks");
    expect(await post("/hub/finalize", events[0] ?? {})).toMatchObject({ status: 200, body: { status: "finalized" } });
  });

  it("a repeated event is a duplicate with the order's id, in one batch, in parallel and over a restart [BO-41]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const batch = { hubId: "h1", events: [event(1, "POS/1"), event(2, "POS/1")] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post("/hub/batch-sync", batch)));
    await office.restart();
    answers.push(await post("/hub/batch-sync", batch));
    const results = answers.flatMap((answer) => BatchSyncAnswer.parse(answer.body).results);
    expect(results.filter((result) => result.status === "finalized")).toHaveLength(1);
    expect(results.filter((result) => result.status === "duplicate")).toHaveLength(21);
    expect(new Set(results.map((result) => result.orderId)).size).toBe(1);
    expect((await office.stub("GET", "/audit-events")).events).toHaveLength(1);
    expect((await office.stub("GET", "/orders")).orders).toHaveLength(1);
  });

  it("a malformed event fails alone: nothing of it is stored, and the others are finalized [BO-42]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const bad = [
      event(1, "POS/1", {}),
      event(2, "POS/2", forwarded("POS/other")),
      event(3, "POS/3", forwarded("POS/3", { status: "sent" })),
      event(4, "POS/4", forwarded("POS/4", { lines: undefined })),
      event(5, "POS/5", forwarded("POS/5", { totals: { total: "118" } })),
      event(6, "POS/6", forwarded("POS/6", { payments: [{ methodId: 1 }] })),
      { ...event(7, "POS/7"), type: "something_else" },
      { eventId: 8 },
    ];
    const answer = await post("/hub/batch-sync", { hubId: "h1", events: [...bad, event("good", "POS/good")] });
    const { results } = BatchSyncAnswer.parse(answer.body);
    expect(results.slice(0, -1)).toEqual(
      bad.map(({ eventId }) => ({
        eventId,
        status: "failed",
        error: expect.any(String),
        errorCode: "VALIDATION_ERROR",
      })),
    );
    expect(results.at(-1)).toMatchObject({ eventId: "good", status: "finalized" });
    const { orders } = await office.stub("GET", "/orders");
    expect(orders.map((stored: { posReference: string }) => stored.posReference)).toEqual(["POS/good"]);
    expect((await office.stub("GET", "/audit-events")).events).toHaveLength(1);
  });

  it("a batch of 200 events is accepted and one of 201 refused [BO-43]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const events = Array.from({ length: 201 }, (_, index) => event(index, `POS/${index}`));
    expect(await post("/hub/batch-sync", { hubId: "h1", events })).toMatchObject({
      status: 400,
      body: { errorCode: "VALIDATION_ERROR" },
    });
    expect((await office.stub("GET", "/orders")).orders).toEqual([]);
    const answer = await post("/hub/batch-sync", { hubId: "h1", events: events.slice(0, 200) });
    expect(BatchSyncAnswer.parse(answer.body).results.map((result) => result.eventId)).toEqual(
      Array.from({ length: 200 }, (_, index) => index),
    );
    expect((await post("/hub/batch-sync", { hubId: "h1", events: [{ posReference: "POS/x" }] })).status).toBe(400);
    expect((await post("/hub/batch-sync", { hubId: "h1" })).status).toBe(400);
  });

  it("an order that a test has set to be refused fails with that error until it is cleared [BO-44]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const refuse = { posReferences: ["POS/1"], error: "period is locked", errorCode: "PERIOD_LOCKED" };
    await office.stub("POST", "/faults", { faults: [{ refuse }] });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const answer = await post("/hub/batch-sync", { hubId: "h1", events: [event(1, "POS/1"), event(2, "POS/2")] });
      expect(answer.body.results).toMatchObject([
        { eventId: 1, status: "failed", error: "period is locked", errorCode: "PERIOD_LOCKED" },
        { eventId: 2, status: attempt === 0 ? "finalized" : "duplicate" },
      ]);
      expect(await post("/hub/finalize", event(1, "POS/1"))).toMatchObject({
        status: 422,
        body: { error: "period is locked", errorCode: "PERIOD_LOCKED" },
      });
    }
    expect((await office.stub("GET", "/orders")).orders).toHaveLength(1);
    expect((await office.stub("GET", "/audit-events")).events).toHaveLength(1);
    await office.stub("DELETE", "/faults");
    expect((await post("/hub/finalize", event(1, "POS/1"))).body).toMatchObject({ status: "finalized" });
  });
});

describe("hub/finalize", () => {
  it("finalize takes one event, answers a repeat as duplicate, and a malformed order with 400 [BO-45]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const { eventId, posReference, order: hubOrder } = event("e1", "POS/1");
    const first = await post("/hub/finalize", { eventId, posReference, order: hubOrder });
    expect(first).toMatchObject({ status: 200, body: { eventId: "e1", status: "finalized" } });
    expect((await post("/hub/finalize", { eventId: "e2", posReference, order: hubOrder })).body).toEqual({
      eventId: "e2",
      status: "duplicate",
      orderId: BatchSyncResult.parse(first.body).orderId,
    });
    for (const body of [{ eventId, posReference: "POS/2", order: {} }, { posReference: "POS/2" }, {}]) {
      expect(await post("/hub/finalize", body)).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
    }
    expect((await office.stub("GET", "/audit-events")).events).toHaveLength(1);
  });

  it("finalize turns a draft of the same reference into the paid order and frees its table [BO-46]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const draft = await post("/orders/create", order("POS/1", { tableId: 31 }));
    const { ncf } = (await post("/orders/reserve-ncf", { pos_reference: "POS/1", type: "B02" })).body;
    const paid = { ...forwarded("POS/1", { ncf }), tableId: 31 };
    expect((await post("/hub/finalize", event("e1", "POS/1", paid))).body).toEqual({
      eventId: "e1",
      status: "finalized",
      orderId: draft.body.order.id,
    });
    expect((await office.stub("GET", "/orders")).orders).toMatchObject([{ status: "paid", source: "hub", ncf }]);
    expect((await office.stub("GET", "/audit-events")).events).toHaveLength(1);
    const { floors } = (await post("/bootstrap")).body.config;
    expect(floors[0].tables.find((table: { id: number }) => table.id === 31).state).toBe("available");
    expect((await post("/orders/create", order("POS/1"))).body).toMatchObject({
      existing: true,
      order: { status: "paid", ncf, tableId: 31 },
    });
  });

  it("finalize answers an order paid in the back-office itself as duplicate, without an audit event [BO-47]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const paid = await post("/orders/create", order("POS/1", { status: "paid" }));
    expect((await post("/hub/finalize", event("e1", "POS/1"))).body).toEqual({
      eventId: "e1",
      status: "duplicate",
      orderId: paid.body.order.id,
    });
    expect((await office.stub("GET", "/audit-events")).events).toEqual([]);
  });

  it("finalize accepts a payment despite a closed session, a missing table or an unknown method [BO-48]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    await office.stub("POST", "/session", { open: false });
    const paid = { ...forwarded("POS/1", { payments: [{ methodId: "voucher", amount: 118 }] }), tableId: 4711 };
    expect((await post("/hub/finalize", event("e1", "POS/1", paid))).body).toMatchObject({ status: "finalized" });
    const openItem = forwarded("POS/2", { lines: [{ id: "l1", quantity: 1, note: "no product, no price" }] });
    expect((await post("/hub/finalize", event("e2", "POS/2", openItem))).body).toMatchObject({ status: "finalized" });
  });

  it("finalize records an order's fiscal number, even a never assigned one, and never assigns it again [BO-49]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const bearing = (reference: string, fields: object) =>
      event(reference, reference, forwarded(reference, { ...fields }));
    await post("/hub/batch-sync", {
      hubId: "h1",
      events: [
        bearing("POS/1", { ncf: "B0200000001" }),
        bearing("POS/2", { fiscal: { ncf: "E320000000007" } }),
        bearing("POS/3", { ncf: null, fiscal: { status: "none" } }),
      ],
    });
    const { orders } = await office.stub("GET", "/orders");
    expect(orders.map((stored: { ncf: string | null }) => stored.ncf)).toEqual(["B0200000001", "E320000000007", null]);
    const next = await post("/orders/reserve-ncf", { pos_reference: "POS/3", type: "B02" });
    expect(next.body.ncf).toBe("B0200000002");
  });

  it("an order with an unavailable fiscal number fails alone, and nothing of it is stored [BO-123]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("manager");
    const bearing = (reference: string, ncf: string) => event(reference, reference, forwarded(reference, { ncf }));
    await post("/orders/create", order("POS/v", { lines: [line("l1", 118), line("l2", 9, { voided: true })] }));
    for (const pos_reference of ["POS/reserved", "POS/annulled", "POS/v"]) {
      await post("/orders/reserve-ncf", { pos_reference, type: "B02" });
    }
    await post("/orders/release-ncf", { pos_reference: "POS/annulled", reason: "discarded" });
    await post("/orders/credit-note", { pos_reference: "POS/v" });
    const bad = [
      bearing("POS/2", "B0200000009"),
      bearing("POS/3", "B0200000001"),
      bearing("POS/4", "B0200000002"),
      bearing("POS/5", "B0400000001"),
      bearing("POS/v", "B0200000777"),
    ];
    const events = [bearing("POS/1", "B0200000009"), ...bad, bearing("POS/reserved", "B0200000001")];
    const { results } = BatchSyncAnswer.parse((await post("/hub/batch-sync", { hubId: "h1", events })).body);
    expect([results[0]?.status, results.at(-1)?.status]).toEqual(["finalized", "finalized"]);
    expect(results.slice(1, -1)).toEqual(
      bad.map(({ eventId }) => ({
        eventId,
        status: "failed",
        error: expect.stringMatching(/^[BE]\d+ (?:belongs to|is reserved for|is annulled)/),
        errorCode: "NCF_CONFLICT",
      })),
    );
    const { orders } = await office.stub("GET", "/orders");
    expect(orders).toMatchObject([
      { posReference: "POS/v", status: "draft", ncf: "B0200000003" },
      { posReference: "POS/1", status: "paid" },
      { posReference: "POS/reserved", status: "paid" },
    ]);
    expect((await office.stub("GET", "/audit-events")).events).toHaveLength(2);
    expect(await post("/hub/finalize", bad[0])).toMatchObject({ status: 422, body: { errorCode: "NCF_CONFLICT" } });
    expect((await post("/hub/finalize", bearing("POS/2", "B0200000010"))).body.status).toBe("finalized");
  });

  it("an order with a malformed fiscal number fails, and nothing of it is stored [BO-124]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const malformed = ["not-a-number", "B02-oops", "B020000001", "E3200000001", 12, { ncf: 1 }];
    for (const ncf of malformed) {
      const one = event("e", "POS/1", forwarded("POS/1", { ncf }));
      expect((await post("/hub/batch-sync", { hubId: "h", events: [one] })).body.results).toEqual([
        { eventId: "e", status: "failed", error: expect.any(String), errorCode: "NCF_INVALID" },
      ]);
      expect(await post("/hub/finalize", one)).toMatchObject({ status: 422, body: { errorCode: "NCF_INVALID" } });
    }
    expect((await office.stub("GET", "/orders")).orders).toEqual([]);
    expect((await office.stub("GET", "/audit-events")).events).toEqual([]);
  });

  it("a payment on credit counts for the payment's customer, or else for the order's [BO-129]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const payments = [
      { methodId: 3, amount: 50.1, tip: 5, customerId: 53 },
      { methodId: 3, amount: 20, customerId: "52" },
      { methodId: 3, amount: 10 },
      { methodId: 1, amount: 37.9, tendered: 100, change: 62.1, customerId: 53 },
    ];
    const paid = forwarded("POS/1", { customerId: 51, payments });
    expect((await post("/hub/finalize", event("e1", "POS/1", paid))).body.status).toBe("finalized");
    const { customers } = await office.stub("GET", "/customers");
    expect(customers.map((customer: { creditUsed: number }) => customer.creditUsed)).toEqual([10, 20, 50.1, 0, 0]);
    const bad = forwarded("POS/2", { payments: [{ methodId: 1, amount: 118, tendered: "200" }] });
    expect(await post("/hub/finalize", event("e2", "POS/2", bad))).toMatchObject({ status: 400 });
  });

  it("a forwarded order paid on credit uses the customer's credit once [BO-26]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const onCredit = forwarded("POS/1", { customerId: 51, payments: [{ methodId: "3", amount: 118 }] });
    for (const eventId of ["e1", "e2"]) await post("/hub/finalize", event(eventId, "POS/1", onCredit));
    const { customers } = await office.stub("GET", "/customers");
    expect(customers.find((customer: { id: number }) => customer.id === 51).creditUsed).toBe(118);
  });
});

describe("hub/lookup", () => {
  it("a lookup returns the known references with their event, total, number and time [BO-100, BO-101]", async () => {
    const office = await startTestBackOffice({ now: () => Date.UTC(2026, 2, 1, 20) });
    const post = await office.signIn("hub");
    const finalized = await post("/hub/batch-sync", {
      events: [event(7, "POS/number"), event("e-8", "POS/text", forwarded("POS/text", { ncf: "B0200000001" }))],
    });
    const [first, second] = BatchSyncAnswer.parse(finalized.body).results.map((result) => result.orderId);
    const draft = await post("/orders/create", order("POS/draft"));
    const paid = await post("/orders/create", order("POS/here", { status: "paid" }));
    await post("/hub/finalize", event("late", "POS/here"));
    const names = ["POS/here", "POS/unknown", "POS/draft", "POS/text", "POS/number", "POS/number"];
    const paidAt = "2026-03-01T20:00:00.000Z";
    const common = { status: "paid", total: 118, ncf: null, paidAt };
    expect((await post("/hub/lookup", { posReferences: names })).body).toEqual({
      orders: [
        { ...common, posReference: "POS/number", orderId: first, eventId: 7 },
        { ...common, posReference: "POS/text", orderId: second, eventId: "e-8", ncf: "B0200000001" },
        {
          ...common,
          posReference: "POS/draft",
          orderId: draft.body.order.id,
          eventId: null,
          status: "draft",
          paidAt: null,
        },
        { ...common, posReference: "POS/here", orderId: paid.body.order.id, eventId: null },
      ],
    });
    expect((await post("/hub/lookup", { posReferences: [] })).body).toEqual({ orders: [] });
  });

  it("a lookup accepts 200 references, and refuses 201, a non-string and a missing list [BO-102]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("hub");
    const names = Array.from({ length: 201 }, (_, index) => `POS/${index}`);
    expect((await post("/hub/lookup", { posReferences: names.slice(1) })).status).toBe(200);
    for (const posReferences of [names, [7], "POS/1", undefined]) {
      expect(await post("/hub/lookup", { posReferences })).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
  });
});
