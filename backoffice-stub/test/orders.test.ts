import { OrderCreateAnswer } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { line, order } from "./builders.ts";
import { startTestBackOffice, type TestBackOffice } from "./start-test-back-office.ts";

async function stateOf(office: TestBackOffice, tableId: number): Promise<string> {
  const post = await office.signIn("waiter");
  const floors: { tables: { id: number; state: string }[] }[] = (await post("/bootstrap")).body.config.floors;
  return floors.flatMap((floor) => floor.tables).find((table) => table.id === tableId)?.state ?? "no such table";
}

describe("orders/create", () => {
  it("creating an order stores a draft, which occupies its table until it is paid [BO-20]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    const draft = await post("/orders/create", order("POS/1", { tableId: 31 }));
    expect(draft.status).toBe(200);
    expect(OrderCreateAnswer.parse(draft.body)).toMatchObject({
      existing: false,
      order: { pos_reference: "POS/1", status: "draft", tableId: 31, ncf: null, totals: { total: 118 } },
    });
    expect(await stateOf(office, 31)).toBe("occupied");

    const paid = order("POS/1", { tableId: 31, status: "paid", payments: [{ methodId: 1, amount: 118 }] });
    expect((await post("/orders/create", paid)).body).toMatchObject({
      existing: true,
      order: { id: draft.body.order.id, status: "paid" },
    });
    expect(await stateOf(office, 31)).toBe("available");
    expect((await office.stub("GET", "/orders")).orders).toEqual([
      {
        id: draft.body.order.id,
        posReference: "POS/1",
        status: "paid",
        ncf: null,
        total: 118,
        source: "ui",
        order: paid,
      },
    ]);
  });

  it("a repeated creation, also in parallel, stores one order and returns it each time [BO-21]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("/orders/create", order("POS/2"))));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map((answer) => answer.body.order.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.body.existing)).toHaveLength(1);
    expect((await office.stub("GET", "/orders")).orders).toHaveLength(1);
  });

  it("a repeated creation updates a draft, and leaves a paid order unchanged [BO-22]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    await post("/orders/create", order("POS/3", { tableId: 31 }));
    const edited = order("POS/3", { tableId: 32, lines: [line("l1", 118), line("l2", 59)] });
    const updated = await post("/orders/create", edited);
    expect(updated.body).toMatchObject({ existing: true, order: { tableId: 32 } });
    expect(updated.body.order.lines).toHaveLength(2);
    expect([await stateOf(office, 31), await stateOf(office, 32)]).toEqual(["available", "occupied"]);

    const paid = (await post("/orders/create", order("POS/3", { status: "paid" }))).body.order;
    const late = await post("/orders/create", order("POS/3", { lines: [] }));
    expect(late).toMatchObject({ status: 200, body: { existing: true, order: paid } });
  });

  it("invalid orders are refused, and nothing changes [BO-23]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    await post("/orders/create", order("POS/4"));
    const before = await office.stub("GET", "/orders");
    const bad = [
      {},
      order(""),
      { ...order("POS/4"), lines: "none" },
      { ...order("POS/4"), totals: { subtotal: 100, tax: 18 } },
      order("POS/4", { totals: { subtotal: 100, tax: 18, total: "118" } }),
      order("POS/4", { status: "closed" }),
      order("POS/4", { tableId: "31" }),
      order("POS/4", { lines: [line("l1", -1)] }),
      order("POS/4", { lines: [line("l1", 10, { quantity: 0 })] }),
      order("POS/4", { payments: [{ methodId: 1 }] }),
    ];
    for (const body of bad) {
      expect(await post("/orders/create", body)).toMatchObject({
        status: 400,
        body: { error: expect.any(String), errorCode: "VALIDATION_ERROR" },
      });
    }
    expect(await office.stub("GET", "/orders")).toEqual(before);
  });

  it("a missing table or payment method, and payments below the total, are refused [BO-24]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    const bad = [
      order("POS/5", { tableId: 4 }),
      order("POS/5", { status: "paid", payments: [{ methodId: 9, amount: 118 }] }),
      order("POS/5", { status: "paid", payments: [{ methodId: 1, amount: 117.97 }] }),
    ];
    for (const body of bad) {
      expect(await post("/orders/create", body)).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
    const cents = order("POS/5", { status: "paid", payments: [{ methodId: 1, amount: 117.98 }] });
    expect((await post("/orders/create", cents)).status).toBe(200);
  });

  it("no order is opened while the POS session is closed, and known ones are still answered [BO-25]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    await post("/orders/create", order("POS/6"));
    await office.stub("POST", "/session", { open: false });
    expect(await post("/orders/create", order("POS/7"))).toMatchObject({
      status: 409,
      body: { errorCode: "NO_ACTIVE_SESSION" },
    });
    expect((await post("/orders/create", order("POS/6", { status: "paid" }))).body).toMatchObject({
      existing: true,
      order: { status: "paid" },
    });
  });

  it("paying an order on credit uses the customer's credit once [BO-26]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    const paid = order("POS/8", {
      status: "paid",
      customerId: 52,
      payments: [
        { methodId: 1, amount: 18 },
        { methodId: 3, amount: 100.1 },
      ],
    });
    await post("/orders/create", paid);
    await post("/orders/create", paid);
    const { customers } = await office.stub("GET", "/customers");
    expect(customers.find((customer: { id: number }) => customer.id === 52)).toEqual({
      id: 52,
      name: "Ana Lucía Méndez",
      creditLimit: 5000,
      creditUsed: 100.1,
    });
    expect((await post("/customers/credit-check", { customerId: 52, amount: 4899.9 })).body).toEqual({
      eligible: true,
      available: 4899.9,
    });
    expect((await post("/customers/credit-check", { customerId: 52, amount: 4899.91 })).body.eligible).toBe(false);
  });
});

describe("payments and credit", () => {
  it("the payment methods are those of bootstrap [BO-55]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("waiter");
    const { paymentMethods } = (await post("/bootstrap")).body.config;
    expect(await post("/payments/methods")).toMatchObject({ status: 200, body: { paymentMethods } });
  });

  it("a credit check answers whether the credit is enough, never for a customer without credit [BO-56]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    const check = (customerId: unknown, amount: unknown) => post("/customers/credit-check", { customerId, amount });
    expect((await check(52, 5000)).body).toEqual({ eligible: true, available: 5000 });
    expect((await check("52", 5000.01)).body).toEqual({ eligible: false, available: 5000 });
    expect((await check(54, 0)).body).toEqual({ eligible: false, available: 0 });
  });

  it("a credit check refuses an unknown customer and an amount that is no number of at least 0 [BO-57]", async () => {
    const office = await startTestBackOffice();
    const post = await office.signIn("cashier");
    const check = (customerId: unknown, amount: unknown) => post("/customers/credit-check", { customerId, amount });
    expect(await check(999, 1)).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    for (const amount of [-1, "100", null, undefined]) {
      expect(await check(52, amount)).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
    }
  });
});
