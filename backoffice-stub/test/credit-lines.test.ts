import { CreditNoteAnswer } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { event, forwarded, line, order } from "./builders.ts";
import { startTestBackOffice, type Answer, type TestBackOffice } from "./start-test-back-office.ts";

const mofongo = { id: "m", productId: 101, quantity: 3, unitPrice: 100, total: 300 };
const flan = line("f", 50);

/** A back-office with a paid sale of 350 with a discount of 10. */
async function officeWithSale(snapshot: Record<string, unknown> = {}) {
  const office = await startTestBackOffice();
  const post = await office.signIn("manager");
  const content = {
    lines: [mofongo, flan],
    adjustments: [{ kind: "discount", amount: -10 }],
    totals: { subtotal: 350, tax: 0, total: 340 },
    payments: [{ methodId: 1, amount: 340 }],
    ncf: "E320000000001",
    ...snapshot,
  };
  await post("/hub/finalize", event("e", "POS/1", forwarded("POS/1", content)));
  const credit = (body: object) => post("/orders/credit-note", { pos_reference: "POS/1", ...body });
  return { office, post, credit };
}

const some = (lineId: string, quantity: number) => ({ lineId, quantity });
const refused = (status: number, errorCode: string) => ({ status, body: { errorCode } });

async function notesOf(office: TestBackOffice): Promise<string[]> {
  const { numbers } = await office.stub("GET", "/ncf");
  return numbers.flatMap(({ ncf, type }: { ncf: string; type: string }) => (type === "E34" ? [ncf] : []));
}

describe("credit-note with lines", () => {
  it("credit notes for lines are made until nothing is left, and add up to what was paid [BO-80, BO-300, BO-301]", async () => {
    const { office, credit } = await officeWithSale();
    const first = await credit({ lines: [some("m", 1)], refundId: "r1" });
    expect(first).toMatchObject({
      status: 200,
      body: {
        ncf: "E340000000001",
        modifies: "E320000000001",
        total: 97.14,
        lines: [{ id: "m", quantity: 1, total: 97.14 }],
      },
    });
    expect(CreditNoteAnswer.parse(first.body)).toEqual(first.body);
    expect(await credit({ lines: [some("m", 3)], refundId: "r2" })).toMatchObject(refused(409, "ALREADY_CREDITED"));
    expect(await credit({})).toMatchObject(refused(409, "ALREADY_CREDITED"));
    const rest = await credit({ lines: [some("m", 2), some("f", 1)], refundId: "r3" });
    expect(rest.body).toMatchObject({ ncf: "E340000000002", total: 242.86 });
    expect(await credit({ lines: [some("f", 1)], refundId: "r4" })).toMatchObject(refused(409, "ALREADY_CREDITED"));
    expect(await office.stub("GET", "/credit-notes")).toEqual({
      notes: [
        { posReference: "POS/1", ncf: "E340000000001", refundId: "r1", total: 97.14 },
        { posReference: "POS/1", ncf: "E340000000002", refundId: "r3", total: 242.86 },
      ],
    });
  });

  it("lines that are no part of the order, and another total, are refused without using a number [BO-301]", async () => {
    const { office, credit } = await officeWithSale({ lines: [mofongo, flan, line("pan", 0)] });
    for (const lines of [[], [some("x", 1)], [some("pan", 1)], [some("m", 0)], [some("m", 1), some("m", 1)]]) {
      expect(await credit({ lines, refundId: "r" })).toMatchObject(refused(400, "VALIDATION_ERROR"));
    }
    expect(await credit({ lines: [some("m", 1)], total: 100 })).toMatchObject(refused(422, "TOTALS_MISMATCH"));
    expect(await notesOf(office)).toEqual([]);
    expect((await credit({ lines: [some("m", 1)], total: 97.14 })).status).toBe(200);
  });

  it("a credit note has the requested type [BO-139]", async () => {
    const { credit } = await officeWithSale({ lines: [mofongo, flan, line("v", 10, { voided: true })] });
    const note = { modifies: "E320000000001", ncf: expect.stringMatching(/^B04\d{8}$/) };
    expect((await credit({ lines: [some("m", 1)], type: "B04" })).body).toMatchObject(note);
    const whole = await officeWithSale({ lines: [mofongo, flan, line("v", 10, { voided: true })] });
    expect((await whole.credit({ type: "B04" })).body).toMatchObject(note);
    const other = await officeWithSale();
    expect(await other.credit({ lines: [some("m", 1)], type: "B99" })).toMatchObject(refused(400, "VALIDATION_ERROR"));
  });

  it("lines cannot be credited after a credit note for the whole order [BO-301]", async () => {
    const { credit } = await officeWithSale({ lines: [mofongo, flan, line("v", 10, { voided: true })] });
    expect((await credit({})).body).toMatchObject({ total: 350 });
    expect(await credit({ lines: [some("f", 1)] })).toMatchObject(refused(409, "ALREADY_CREDITED"));
  });

  it("a repeated refund gets the same credit note, also in parallel [BO-302]", async () => {
    const { office, credit } = await officeWithSale();
    const same = { lines: [some("f", 1)], refundId: "r1" };
    const answers: Answer[] = await Promise.all([credit(same), credit(same), credit(same)]);
    expect(new Set(answers.map(({ body }) => body.ncf))).toEqual(new Set(["E340000000001"]));
    expect(await credit({ ...same, lines: [some("m", 1)] })).toMatchObject(refused(400, "VALIDATION_ERROR"));
    expect(await notesOf(office)).toEqual(["E340000000001"]);
  });

  it("only the hub's account can credit on behalf of somebody, who must have the refund permission [BO-303]", async () => {
    const { office, credit } = await officeWithSale();
    const request = { pos_reference: "POS/1", lines: [some("f", 1)], refundId: "r1" };
    const [manager, clerk] = [6, 9];
    for (const [login, onBehalfOf] of [
      ["hub", undefined],
      ["hub", clerk],
      ["hub", 4711],
      ["cashier", manager],
    ] as const) {
      const post = await office.signIn(login);
      expect(await post("/orders/credit-note", { ...request, onBehalfOf })).toMatchObject(refused(403, "FORBIDDEN"));
    }
    const hub = await office.signIn("hub");
    expect(await hub("/orders/credit-note", { ...request, onBehalfOf: manager })).toMatchObject({ status: 200 });
    expect((await credit(request)).body.ncf).toBe("E340000000001");
  });

  it("a refund on credit reduces the customer's debt [BO-304]", async () => {
    const payments = [{ methodId: 3, amount: 340, customerId: 51 }];
    const { office, credit } = await officeWithSale({ payments });
    const used = async () => {
      const { customers } = await office.stub("GET", "/customers");
      return customers.find((one: { id: number }) => one.id === 51).creditUsed;
    };
    expect(await used()).toBe(340);
    await credit({ lines: [some("m", 1)], refundId: "r1", refund: [{ methodId: 3, amount: 97.14 }] });
    expect(await used()).toBe(242.86);
  });

  it("bootstrap names credit notes for lines, and without them notes are for whole orders [BO-305]", async () => {
    const { office, post, credit } = await officeWithSale();
    const abilities = async () => (await post("/bootstrap", {})).body.config.creditNotes;
    expect(await abilities()).toEqual({ lines: true, onBehalfOf: true });
    await office.stub("POST", "/quirks", { lacks: ["creditNotes"] });
    expect(await abilities()).toBeUndefined();
    expect(await credit({ lines: [some("f", 1)], refundId: "r1" })).toMatchObject(refused(409, "NOTHING_VOIDED"));
    const lines = [line("l1", 60), line("l2", 50, { voided: true })];
    await post("/orders/create", order("POS/2", { lines, status: "paid" }));
    await post("/orders/reserve-ncf", { pos_reference: "POS/2", type: "E32" });
    const note = await post("/orders/credit-note", { pos_reference: "POS/2", lines: [some("l1", 1)], refundId: "r2" });
    expect(note.body).toMatchObject({ total: 60, lines: [{ id: "l1" }] });
  });
});
