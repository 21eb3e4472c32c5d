import { ReserveNcfAnswer } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { event, forwarded, line, order } from "./builders.ts";
import { startTestBackOffice, type Answer, type TestBackOffice } from "./start-test-back-office.ts";

type Post = (path: string, body?: unknown) => Promise<Answer>;

async function officeWithOrders(...references: string[]): Promise<{ office: TestBackOffice; post: Post }> {
  const office = await startTestBackOffice();
  const post = await office.signIn("manager");
  for (const reference of references) await post("/orders/create", order(reference));
  return { office, post };
}

describe("reserve-ncf", () => {
  it("an order gets one number in its type's form, the same one every time [BO-30]", async () => {
    const { office, post } = await officeWithOrders("POS/1", "POS/2");
    const first = await post("/orders/reserve-ncf", { pos_reference: "POS/1", type: "B02" });
    const expiresOn = `${new Date(Date.now() - 4 * 3600_000).getUTCFullYear() + 1}-12-31`;
    expect(first).toMatchObject({ status: 200, body: { ncf: "B0200000001", type: "B02", expiresOn } });
    expect(ReserveNcfAnswer.parse(first.body)).toEqual(first.body);
    expect((await post("/orders/reserve-ncf", { pos_reference: "POS/1", type: "B02" })).body).toEqual(first.body);
    expect((await post("/orders/reserve-ncf", { pos_reference: "POS/2", type: "E32" })).body.ncf).toBe("E320000000001");
    const { orders } = await office.stub("GET", "/orders");
    expect(orders.map((stored: { ncf: string }) => stored.ncf)).toEqual(["B0200000001", "E320000000001"]);
    expect((await post("/orders/create", order("POS/1"))).body.order.ncf).toBe("B0200000001");
  });

  it("another type for an order that has a number is refused with that number [BO-31]", async () => {
    const { post } = await officeWithOrders("POS/1");
    await post("/orders/reserve-ncf", { pos_reference: "POS/1", type: "B02" });
    for (const type of ["E32", "B01"]) {
      expect(await post("/orders/reserve-ncf", { pos_reference: "POS/1", type })).toMatchObject({
        status: 409,
        body: { errorCode: "NCF_ALREADY_RESERVED", ncf: "B0200000001", type: "B02" },
      });
    }
  });

  it("a used-up or expired sequence refuses a reservation without using a number [BO-32]", async () => {
    const { office, post } = await officeWithOrders("POS/1", "POS/2", "POS/3");
    expect(await office.stub("POST", "/ncf", { type: "B02", remaining: 1 })).toEqual({ type: "B02", remaining: 1 });
    const reserve = (pos_reference: string) => post("/orders/reserve-ncf", { pos_reference, type: "B02" });
    expect((await reserve("POS/1")).body.ncf).toBe("B0200000001");
    expect(await reserve("POS/2")).toMatchObject({ status: 409, body: { errorCode: "NCF_EXHAUSTED" } });
    expect((await reserve("POS/1")).body.ncf).toBe("B0200000001");

    await office.stub("POST", "/ncf", { type: "B02", remaining: 10 });
    await office.stub("POST", "/ncf-expiry", { type: "B02", expiresOn: "2020-12-31" });
    expect(await reserve("POS/2")).toMatchObject({ status: 409, body: { errorCode: "NCF_EXHAUSTED" } });
    await office.stub("POST", "/ncf-expiry", { type: "B02", expiresOn: "2099-12-31" });
    expect((await reserve("POS/3")).body).toEqual({ ncf: "B0200000002", type: "B02", expiresOn: "2099-12-31" });
  });

  it("a number is never assigned twice, in parallel calls or over a restart [BO-33]", async () => {
    const references = Array.from({ length: 60 }, (_, index) => `POS/${index}`);
    const { office, post } = await officeWithOrders(...references, "POS/last");
    const calls = references.flatMap((pos_reference) => [
      post("/orders/reserve-ncf", { pos_reference, type: "E32" }),
      post("/orders/reserve-ncf", { pos_reference, type: "E32" }),
    ]);
    const numbers = (await Promise.all(calls)).map((answer) => answer.body.ncf);
    expect(new Set(numbers).size).toBe(60);
    for (let index = 0; index < numbers.length; index += 2) expect(numbers[index]).toBe(numbers[index + 1]);
    await office.restart();
    const after = await post("/orders/reserve-ncf", { pos_reference: "POS/last", type: "E32" });
    expect(after.body.ncf).toBe("E320000000061");
  });

  it("types B01 and E31 need the buyer's RNC, from the call, the order or its customer [BO-34]", async () => {
    const { post } = await officeWithOrders("POS/1", "POS/2");
    await post("/orders/create", order("POS/own", { rnc: "101889901" }));
    await post("/orders/create", order("POS/customer", { customerId: 51 }));
    const reserve = (pos_reference: string, type: string, rnc?: string) =>
      post("/orders/reserve-ncf", { pos_reference, type, rnc });
    for (const type of ["B01", "E31"]) {
      expect(await reserve("POS/1", type)).toMatchObject({ status: 400, body: { errorCode: "VALIDATION_ERROR" } });
      expect(await reserve("POS/1", type, "12345")).toMatchObject({ status: 400 });
    }
    expect((await reserve("POS/1", "B01", "1-31-24678-9")).body.ncf).toBe("B0100000001");
    expect((await reserve("POS/2", "E31", "00114272360")).body.ncf).toBe("E310000000001");
    expect((await reserve("POS/own", "B01")).body.ncf).toBe("B0100000002");
    expect((await reserve("POS/customer", "E31")).body.ncf).toBe("E310000000002");
  });

  it("a type without a sequence is refused [BO-35]", async () => {
    const { post } = await officeWithOrders("POS/1");
    for (const type of ["B15", "b02", 2]) {
      expect(await post("/orders/reserve-ncf", { pos_reference: "POS/1", type })).toMatchObject({
        status: 400,
        body: { errorCode: "VALIDATION_ERROR" },
      });
    }
  });

  it("each of the six sequences has 5000 numbers [BO-36]", async () => {
    const { office, post } = await officeWithOrders("POS/1");
    for (const type of ["B01", "B02", "B04", "E31", "E32", "E34"]) {
      const reference = `POS/${type}`;
      await post("/orders/create", order(reference, { rnc: "101889901" }));
      const digits = type.startsWith("E") ? 10 : 8;
      const answer = await post("/orders/reserve-ncf", { pos_reference: reference, type });
      expect(answer.body.ncf).toBe(type + "1".padStart(digits, "0"));
    }
    await office.stub("POST", "/ncf", { type: "E31", remaining: 5000 });
    expect(await office.call("POST", "/stub/v1/ncf", { type: "B02", remaining: 10 ** 8 })).toMatchObject({
      status: 400,
    });
  });

  it("an order forwarded by the hub gets a number [BO-37]", async () => {
    const { post } = await officeWithOrders();
    await post("/hub/batch-sync", { hubId: "h", events: [event(1, "POS/hub")] });
    expect((await post("/orders/reserve-ncf", { pos_reference: "POS/hub", type: "B02" })).body.ncf).toBe("B0200000001");
  });
});

describe("numbers without an order", () => {
  const reserve = { pos_reference: "POS/later", type: "B01", rnc: "101889901" };

  it("a number reserved before its order exists goes to that order, and creates none [BO-120]", async () => {
    const { office, post } = await officeWithOrders();
    const first = await post("/orders/reserve-ncf", reserve);
    expect(first).toMatchObject({ status: 200, body: { ncf: "B0100000001", type: "B01" } });
    expect((await office.stub("GET", "/orders")).orders).toEqual([]);
    await office.restart();
    expect((await post("/orders/reserve-ncf", reserve)).body).toEqual(first.body);
    expect(await post("/orders/reserve-ncf", { pos_reference: "POS/no-rnc", type: "B01" })).toMatchObject({
      status: 400,
      body: { errorCode: "VALIDATION_ERROR" },
    });

    await post("/orders/reserve-ncf", { pos_reference: "POS/silent", type: "B02" });
    const events = [
      event(1, "POS/later", forwarded("POS/later", { ncf: "B0100000001" })),
      event(2, "POS/silent", forwarded("POS/silent")),
    ];
    const { results } = (await post("/hub/batch-sync", { hubId: "h", events })).body;
    expect(results).toMatchObject([{ status: "finalized" }, { status: "finalized" }]);
    const { orders } = await office.stub("GET", "/orders");
    expect(orders).toMatchObject([
      { posReference: "POS/later", ncf: "B0100000001", status: "paid" },
      { posReference: "POS/silent", ncf: "B0200000001", status: "paid" },
    ]);
    const { numbers } = await office.stub("GET", "/ncf");
    expect(numbers.map((number: { state: string }) => number.state)).toEqual(["used", "used"]);
  });

  it("a released number is annulled with its reason, and the reference gets another one [BO-121]", async () => {
    const { office, post } = await officeWithOrders();
    await post("/orders/reserve-ncf", reserve);
    const release = { pos_reference: "POS/later", reason: "check discarded" };
    expect(await post("/orders/release-ncf", release)).toMatchObject({
      status: 200,
      body: { ncf: "B0100000001", type: "B01", reason: "check discarded" },
    });
    await office.restart();
    expect((await post("/orders/reserve-ncf", reserve)).body.ncf).toBe("B0100000002");
    expect((await office.stub("GET", "/ncf")).numbers).toEqual([
      {
        ncf: "B0100000001",
        type: "B01",
        posReference: "POS/later",
        state: "annulled",
        reason: "check discarded",
      },
      { ncf: "B0100000002", type: "B01", posReference: "POS/later", state: "reserved" },
    ]);
  });

  it("a release is refused without a number, for a used number, and without a reason [BO-122]", async () => {
    const { office, post } = await officeWithOrders("POS/draft");
    const release = (pos_reference: string, reason?: unknown) => post("/orders/release-ncf", { pos_reference, reason });
    expect(await release("POS/draft", "x")).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    expect(await release("POS/unknown", "x")).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    await post("/orders/reserve-ncf", { pos_reference: "POS/draft", type: "B02" });
    for (const reason of [undefined, "", 7]) {
      expect(await release("POS/draft", reason)).toMatchObject({ status: 400 });
    }
    expect((await release("POS/draft", "table left")).status).toBe(200);
    expect((await release("POS/draft", "table left")).status).toBe(404);

    await post("/orders/reserve-ncf", { pos_reference: "POS/paid", type: "B02" });
    await post("/hub/finalize", event(1, "POS/paid", forwarded("POS/paid", { ncf: "B0200000002" })));
    const before = await office.stub("GET", "/ncf");
    expect(await release("POS/paid", "too late")).toMatchObject({ status: 409, body: { errorCode: "NCF_USED" } });
    expect(await office.stub("GET", "/ncf")).toEqual(before);
  });

  it("assigned numbers are listed, and those used ahead by the hub do not count as remaining [BO-128]", async () => {
    const { office, post } = await officeWithOrders("POS/draft");
    await post("/orders/create", order("POS/v", { lines: [line("l1", 118), line("l2", 9, { voided: true })] }));
    await post("/orders/reserve-ncf", { pos_reference: "POS/v", type: "B02" });
    await post("/orders/credit-note", { pos_reference: "POS/v" });
    await post("/orders/create", order("POS/v", { status: "paid" }));
    await post("/orders/reserve-ncf", { pos_reference: "POS/draft", type: "B02" });
    await post("/hub/finalize", event(1, "POS/own", forwarded("POS/own", { ncf: "B0200000004" })));
    const { sequences, numbers } = await office.stub("GET", "/ncf");
    expect(numbers).toEqual([
      { ncf: "B0200000001", type: "B02", posReference: "POS/v", state: "used" },
      { ncf: "B0400000001", type: "B04", posReference: "POS/v", state: "used" },
      { ncf: "B0200000002", type: "B02", posReference: "POS/draft", state: "reserved" },
      { ncf: "B0200000004", type: "B02", posReference: "POS/own", state: "used" },
    ]);
    const remaining = Object.fromEntries(sequences.map((one: { type: string; left: number }) => [one.type, one.left]));
    expect(remaining).toEqual({ B01: 5000, B02: 4997, B04: 4999, E31: 5000, E32: 5000, E34: 5000 });
    expect(sequences[0]).toEqual({ type: "B01", left: 5000, expiresOn: expect.stringMatching(/^\d{4}-12-31$/) });

    await office.stub("POST", "/ncf", { type: "B02", remaining: 2 });
    const assigned: string[] = [];
    for (const reference of ["POS/3", "POS/5"]) {
      assigned.push((await post("/orders/reserve-ncf", { pos_reference: reference, type: "B02" })).body.ncf);
    }
    expect(assigned).toEqual(["B0200000003", "B0200000005"]);
    expect(await post("/orders/reserve-ncf", { pos_reference: "POS/6", type: "B02" })).toMatchObject({ status: 409 });
  });
});

describe("credit-note", () => {
  const voided = { lines: [line("l1", 60.1), line("l2", 50, { voided: true }), line("l3", 40.2)] };

  it("a credit note has the lines that are not voided, a number of the order's series, and the modified one [BO-50]", async () => {
    const { post } = await officeWithOrders();
    for (const [reference, type, noteNcf] of [
      ["POS/B", "B02", "B0400000001"],
      ["POS/E", "E32", "E340000000001"],
    ]) {
      await post("/orders/create", order(String(reference), { ...voided, status: "paid" }));
      const { ncf } = (await post("/orders/reserve-ncf", { pos_reference: reference, type })).body;
      const note = await post("/orders/credit-note", { pos_reference: reference });
      expect(note).toMatchObject({
        status: 200,
        body: { id: expect.any(Number), pos_reference: reference, ncf: noteNcf, modifies: ncf, total: 100.3 },
      });
      expect(note.body.lines.map((credited: { id: string }) => credited.id)).toEqual(["l1", "l3"]);
    }
  });

  it("a credit note is refused without an order, a number or voided lines, and a second time [BO-51]", async () => {
    const { office, post } = await officeWithOrders("POS/plain");
    await post("/orders/create", order("POS/v", voided));
    const credit = (pos_reference: string) => post("/orders/credit-note", { pos_reference });
    expect(await credit("POS/x")).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
    expect(await credit("POS/v")).toMatchObject({ status: 409, body: { errorCode: "ORDER_HAS_NO_NCF" } });
    await post("/orders/reserve-ncf", { pos_reference: "POS/plain", type: "B02" });
    await post("/orders/reserve-ncf", { pos_reference: "POS/v", type: "B02" });
    expect(await credit("POS/plain")).toMatchObject({ status: 409, body: { errorCode: "NOTHING_VOIDED" } });

    await office.stub("POST", "/ncf", { type: "B04", remaining: 0 });
    expect(await credit("POS/v")).toMatchObject({ status: 409, body: { errorCode: "NCF_EXHAUSTED" } });
    await office.stub("POST", "/ncf", { type: "B04", remaining: 5 });
    const parallel = await Promise.all([credit("POS/v"), credit("POS/v"), credit("POS/v")]);
    expect(parallel.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    expect(await credit("POS/v")).toMatchObject({ status: 409, body: { errorCode: "ALREADY_CREDITED" } });
  });

  it("a credit note needs the refund permission, whatever the role [BO-52]", async () => {
    const { office, post } = await officeWithOrders();
    await post("/orders/create", order("POS/v", voided));
    await post("/orders/reserve-ncf", { pos_reference: "POS/v", type: "B02" });
    for (const login of ["clerk", "cashier", "waiter", "hub"]) {
      const asOther = await office.signIn(login);
      for (const pos_reference of ["POS/v", "POS/x"]) {
        expect(await asOther("/orders/credit-note", { pos_reference })).toMatchObject({
          status: 403,
          body: { errorCode: "FORBIDDEN" },
        });
      }
    }
    expect((await post("/orders/credit-note", { pos_reference: "POS/v" })).status).toBe(200);
  });

  it("a credit note has the rest of a line that is voided in part [BO-134]", async () => {
    const { post } = await officeWithOrders();
    const lines = [
      { id: "l1", productId: 108, quantity: 4, voidedQuantity: 2, unitPrice: 100, total: 236, taxAmount: 36 },
      { id: "l2", productId: 108, quantity: 3, voidedQuantity: 1, unitPrice: 1.005 },
    ];
    await post("/hub/finalize", event("e", "POS/part", forwarded("POS/part", { lines, ncf: "B0200000001" })));
    const note = await post("/orders/credit-note", { pos_reference: "POS/part" });
    expect(note).toMatchObject({ status: 200, body: { lines, total: 238.01 } });
  });

  it("a credit note is made for an order forwarded by the hub too [BO-53]", async () => {
    const { post } = await officeWithOrders();
    const { order: hubOrder, ...rest } = event("e", "POS/hub");
    const snapshot = { ...(hubOrder as { snapshot: object }).snapshot, ...voided };
    await post("/hub/finalize", { ...rest, order: { ...(hubOrder as object), snapshot } });
    await post("/orders/reserve-ncf", { pos_reference: "POS/hub", type: "E32" });
    expect((await post("/orders/credit-note", { pos_reference: "POS/hub" })).body).toMatchObject({ total: 100.3 });
  });
});
