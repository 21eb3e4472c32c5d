import { ElectronicReceipt } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { event, forwarded, line } from "./builders.ts";
import { startTestBackOffice, type TestBackOffice } from "./start-test-back-office.ts";

const noon = Date.UTC(2026, 10, 27, 16, 5, 9);

/** Reserves a number, books a hub order with it, and returns the `fiscal` part of the response. */
async function book(
  office: TestBackOffice,
  posReference: string,
  { type = "E32", rnc, total = 118 }: { type?: string; rnc?: string; total?: number } = {},
) {
  const post = await office.signIn("hub");
  const { ncf } = (await post("/orders/reserve-ncf", { pos_reference: posReference, type, rnc })).body;
  const totals = { subtotal: total, tax: 0, total };
  const order = forwarded(posReference, { ncf, fiscal: { type }, lines: [line("l1", total)], totals });
  const answer = async (path: "finalize" | "batch-sync") => {
    const one = event(1, posReference, order);
    const { body } = await post(`/hub/${path}`, path === "finalize" ? one : { events: [one] });
    return path === "finalize" ? body : body.results[0];
  };
  return { ncf, first: await answer("finalize"), answer };
}

describe("electronic receipts", () => {
  it("an electronic receipt is signed once, and returned again for a duplicate [BO-137]", async () => {
    const office = await startTestBackOffice({ now: () => noon });
    const { ncf, first, answer } = await book(office, "POS/1");
    expect(first).toEqual({
      eventId: 1,
      status: "finalized",
      orderId: 1,
      fiscal: {
        ncf,
        securityCode: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
        signedAt: "2026-11-27T16:05:09.000Z",
        qrUrl: expect.any(String),
        status: "accepted",
      },
    });
    const { securityCode, qrUrl } = ElectronicReceipt.parse(first.fiscal);
    expect(qrUrl).toBe(
      `https://fc.dgii.gov.do/ecf/ConsultaTimbreFC?RncEmisor=130819688&ENCF=${ncf}&MontoTotal=118.00&CodigoSeguridad=${securityCode}`,
    );
    const again = { ...first, status: "duplicate" };
    expect(await answer("batch-sync")).toEqual(again);
    await office.restart();
    expect(await answer("finalize")).toEqual(again);
  });

  it("a receipt of a taxpayer, or from RD$ 250,000 on, has a QR address with buyer and dates [BO-137]", async () => {
    const office = await startTestBackOffice({ now: () => noon });
    const taxpayer = await book(office, "POS/1", { type: "E31", rnc: "131-24678-9" });
    expect(taxpayer.first.fiscal.qrUrl).toBe(
      `https://ecf.dgii.gov.do/ecf/ConsultaTimbre?RncEmisor=130819688&RncComprador=131246789&ENCF=${taxpayer.ncf}&FechaEmision=27-11-2026&MontoTotal=118.00&FechaFirma=27-11-2026%2012%3A05%3A09&CodigoSeguridad=${taxpayer.first.fiscal.securityCode}`,
    );
    const large = await book(office, "POS/2", { total: 250_000 });
    expect(large.first.fiscal.qrUrl).toContain("/ConsultaTimbre?");
  });

  it("orders with a paper number or without a number have no electronic receipt [BO-137]", async () => {
    const office = await startTestBackOffice();
    expect((await book(office, "POS/1", { type: "B02" })).first).not.toHaveProperty("fiscal");
    const post = await office.signIn("hub");
    expect((await post("/hub/finalize", event(2, "POS/2"))).body).not.toHaveProperty("fiscal");
  });

  it.each([
    ["signed", { status: "accepted", securityCode: expect.stringMatching(/^\w{6}$/), qrUrl: expect.any(String) }],
    ["rejected-later", { status: "signed", securityCode: expect.stringMatching(/^\w{6}$/) }],
    ["later", { status: "pending" }],
    ["rejected", { status: "rejected", error: expect.any(String) }],
  ])("a credit note's electronic receipt is %s [BO-138]", async (fiscal, expected) => {
    const office = await startTestBackOffice({ now: () => noon });
    await book(office, "POS/1");
    await office.stub("POST", "/quirks", { fiscal });
    const post = await office.signIn("manager");
    const credit = async () => {
      const request = { pos_reference: "POS/1", lines: [{ lineId: "l1", quantity: 1 }], refundId: "r1" };
      return (await post("/orders/credit-note", request)).body;
    };
    const note = await credit();
    expect(note.fiscal).toMatchObject({ ncf: note.ncf, ...expected });
    expect(await credit()).toEqual(note);
  });

  it("a credit note has no electronic receipt when the quirk leaves it out [BO-138]", async () => {
    const office = await startTestBackOffice({ now: () => noon });
    await book(office, "POS/1");
    await office.stub("POST", "/quirks", { fiscal: "none" });
    const post = await office.signIn("manager");
    const request = { pos_reference: "POS/1", lines: [{ lineId: "l1", quantity: 1 }], refundId: "r1" };
    expect((await post("/orders/credit-note", request)).body).not.toHaveProperty("fiscal");
  });

  it("a receipt is accepted or rejected a while after it was signed [BO-138]", async () => {
    for (const [quirk, status] of [
      ["accepted-later", "accepted"],
      ["rejected-later", "rejected"],
    ] as const) {
      let now = noon;
      const office = await startTestBackOffice({ now: () => now });
      await office.stub("POST", "/quirks", { fiscal: quirk, fiscalAfterMs: 5000 });
      const { first, answer } = await book(office, "POS/1");
      expect(first.fiscal).toMatchObject({ status: "signed", securityCode: expect.any(String) });
      now += 5000;
      const { error: _, ...later } = (await answer("finalize")).fiscal;
      expect(later).toEqual({ ...first.fiscal, status });
    }
  });

  it("a receipt is signed later, never, rejected, left out, or has another number, as the quirk says [BO-138]", async () => {
    let now = noon;
    const office = await startTestBackOffice({ now: () => now });
    const quirk = (fiscal: string) => office.stub("POST", "/quirks", { fiscal, fiscalAfterMs: 5000 });

    await quirk("later");
    const later = await book(office, "POS/1");
    expect(later.first.fiscal).toEqual({ ncf: later.ncf, status: "pending" });
    now += 4999;
    expect((await later.answer("finalize")).fiscal).toMatchObject({ status: "pending" });
    now += 1;
    const signed = (await later.answer("finalize")).fiscal;
    expect(signed).toMatchObject({ status: "accepted", signedAt: new Date(now).toISOString() });

    await quirk("never");
    now += 86_400_000;
    const never = await book(office, "POS/2");
    expect(never.first.fiscal).toEqual({ ncf: never.ncf, status: "pending" });
    expect((await later.answer("finalize")).fiscal).toEqual(signed);

    await quirk("rejected");
    const rejected = await book(office, "POS/3");
    expect(rejected.first.fiscal).toEqual({ ncf: rejected.ncf, status: "rejected", error: expect.any(String) });

    await quirk("none");
    const unreported = await book(office, "POS/4");
    expect(unreported.first).toEqual({ eventId: 1, status: "finalized", orderId: expect.any(Number) });

    await quirk("other");
    const other = await book(office, "POS/5");
    expect(other.first.fiscal).toMatchObject({ status: "accepted", ncf: `E329${other.ncf.slice(4)}` });
    const post = await office.signIn("hub");
    const { fiscal } = (await post("/hub/finalize", event(9, "POS/6"))).body;
    const { numbers } = await office.stub("GET", "/ncf");
    expect(numbers.at(-1)).toMatchObject({ ncf: fiscal.ncf, type: "E32", posReference: "POS/6", state: "used" });
  });
});
