import type { Block, Refund, Snapshot } from "@comanda/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documents } from "../../test/paper-documents.ts";
import { closedShift, paperContext, paidCheck, refund, signedNote, ticket } from "../../test/paper.ts";
import { creditNote, layOut, receipt, refundAmount, shiftPaper, stationSlip, sum } from "../index.ts";

/** Returns a document as text: codes in brackets, large text with a prefix. */
function textOf(blocks: readonly Block[], columns: number): string {
  const marks = { tall: "|", large: "#" };
  return layOut(blocks, columns)
    .map((line) => {
      if (line.kind !== "text") return `  [${line.kind} ${line.text}]`;
      const mark = line.size === undefined ? " " : marks[line.size];
      return `${mark}${line.inverse === true ? "█" : " "}${line.text}`.trimEnd();
    })
    .join("\n");
}

describe("documents on paper", () => {
  const cases = Object.entries(documents).flatMap(([name, blocks]) =>
    [48, 32].map((columns) => ({ name, columns, blocks })),
  );

  it.for(cases)("$name on $columns columns [PRINT-101]", async ({ name, columns, blocks }) => {
    await expect(`${textOf(blocks, columns)}\n`).toMatchFileSnapshot(`../../test/paper/${name}-${columns}.txt`);
  });

  it("an addition shows the note of its check, which may have been written since the first slip [PRINT-540]", () => {
    const check = { guestCount: 3, staffName: "Ana", notes: "Alergia a mariscos" };
    const shown = (["new", "addition", "void", "move"] as const).map((kind) => {
      const slip = stationSlip(
        { kind, ticket: ticket(), dishes: [], check, at: "2026-11-28T00:05:00.000Z" },
        paperContext,
      );
      return textOf(slip, 48).includes("Nota: Alergia a mariscos");
    });
    expect(shown).toEqual([true, true, false, false]);
  });

  it("a slip has the number of its check, whether or not its table has another [PRINT-570]", () => {
    const slip = { kind: "new", dishes: [], check: paidCheck(), at: "2026-11-28T00:05:00.000Z" } as const;
    const shown = [1, 2].map(
      (checkNumber) =>
        /Cuenta \d/.exec(textOf(stationSlip({ ...slip, ticket: ticket({ checkNumber }) }, paperContext), 48))?.[0],
    );
    expect(shown).toEqual(["Cuenta 1", "Cuenta 2"]);
  });

  it.for(cases)("no line of $name is wider than $columns columns [PRINT-100]", ({ columns, blocks }) => {
    const widths = layOut(blocks, columns).map((line) =>
      line.kind === "text" ? line.text.length * (line.size === "large" ? 2 : 1) : 0,
    );
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
  });

  it("two rules are never printed one below the other, even if nothing was sold or paid [PRINT-330]", () => {
    const nothing = { payments: [], adjustments: [], totals: { subtotal: 0, tax: 0, total: 0 } };
    const free = paidCheck({ ...nothing, lines: [{ id: "l1", name: "Flan", quantity: 1, unitPrice: 0, total: 0 }] });
    for (const check of [free, paidCheck({ ...nothing, lines: [] })]) {
      expect(textOf(receipt(check, paperContext), 48)).not.toMatch(/-{48}\n +-{48}/);
    }
  });

  it("a receipt lists a discount as far as it takes something off, and not at all where it takes nothing [PRICE-87]", () => {
    const lines = [{ id: "l1", name: "Sopa", quantity: 1, unitPrice: 20, total: 20 }];
    const adjustments = [
      { kind: "discount" as const, amount: -20, granted: -50, reason: "Queja" },
      { kind: "discount" as const, amount: 0, granted: -10, reason: "Demora" },
    ];
    const check = paidCheck({ lines, adjustments, payments: [], totals: { subtotal: 20, tax: 0, total: 0 } });
    const printed = textOf(receipt(check, paperContext), 48);
    expect(printed).toMatch(/Descuento · Queja +-20\.00/);
    expect(printed).not.toContain("Demora");
  });

  it("no line is wider than the paper, whatever its content [PRINT-100]", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "1", ",", " ", "ñ", "\n"), maxLength: 60, size: "max" });
    const style = { size: fc.constantFrom("tall" as const, "large" as const, undefined) };
    const block = fc.oneof(
      fc.record({ kind: fc.constant("row" as const), left: text, right: text, indent: fc.nat(6), ...style }),
      fc.record({ kind: fc.constant("text" as const), text, ...style }),
    ) as fc.Arbitrary<Block>;
    fc.assert(
      fc.property(block, fc.constantFrom(32, 42, 48), (each, columns) => {
        const widths = layOut([each], columns).map((line) =>
          line.kind === "text" ? line.text.length * (line.size === "large" ? 2 : 1) : 0,
        );
        expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
      }),
      { numRuns: 2_000, examples: [[{ kind: "row", left: "", right: "a".repeat(27), indent: 6 }, 32]] },
    );
  });

  it("a quantity is printed with its unit price, whatever its amount was rounded to [PRINT-397]", () => {
    const lines = [
      { id: "l1", name: "Chillo", quantity: 0.333, unitPrice: 695, total: 231.44 },
      {
        id: "l2",
        name: "Langosta",
        quantity: 0.125,
        unitPrice: 1250.5,
        total: 200.08,
        taxIds: [1, 2],
        taxAmount: 43.77,
      },
      {
        id: "l3",
        name: "Yuca",
        quantity: 1.5,
        unitPrice: 90,
        total: 180,
        modifiers: [{ id: 1, name: "Ajo", price: 30 }],
      },
      { id: "l4", name: "Flan", quantity: 3, unitPrice: 190, total: 500 },
      { id: "l5", name: "Café", quantity: 2, total: 95 },
    ];
    const text = textOf(receipt(paidCheck({ lines }), paperContext), 48);
    expect(text.match(/[\d./ ]+ x [\d.,]+/g)?.map((each) => each.trim())).toEqual([
      "1/3 x 695.00",
      "0.125 x 1,250.50",
      "1.5 x 120.00",
      "3 x 166.67",
      "2 x 47.50",
    ]);
  });

  it("a total too long for large letters is printed in tall ones, complete [PRINT-331]", () => {
    const total = (amount: number) =>
      layOut([{ kind: "row", left: "TOTAL", right: paperContext.format.money(amount), size: "large", bold: true }], 32);
    expect(total(99_999_999.99)).toEqual([
      { kind: "text", text: "TOTAL", size: "large", bold: true },
      { kind: "text", text: "RD$99,999,999.99", size: "large", bold: true },
    ]);
    expect(total(100_000_000)).toEqual([
      { kind: "text", text: "TOTAL          RD$100,000,000.00", size: "tall", bold: true },
    ]);
  });

  it("a receipt whose code has not arrived says how it can be checked later [PRINT-102]", () => {
    const text = textOf(documents["receipt-pending"], 48).replaceAll(/\s+/g, " ");
    expect(text).toContain("Comprobante pendiente: su validez podrá consultarse con el código BCDF2345");
    expect(text).toContain("e-NCF: E310000000042");
    expect(text).not.toContain("Código de Seguridad");
  });

  it("a credit note has QR, code and signature date if it is signed and not rejected [PRINT-160]", () => {
    const proof = ["[qr https://ecf.dgii.gov.do/", "Código de Seguridad: kQ7mP2", "Fecha de Firma Digital: 28-11-2026"];
    for (const text of proof) expect(textOf(documents["credit-note-signed"], 48)).toContain(text);
    const rejected = { ...signedNote, status: "rejected" as const };
    const { securityCode: _, ...pending } = { ...signedNote, status: "pending" as const };
    for (const ecf of [rejected, pending]) {
      expect(creditNote(paidCheck(), { ...refund, ecf }, paperContext)).toEqual(documents["credit-note"]);
    }
  });

  it("the lines of a credit note add up to its total, even without the adjustments [PRINT-164]", () => {
    const lines = [
      { id: "a", name: "Sancocho", quantity: 2, unitPrice: 100, total: 66.67 },
      { id: "b", name: "Café", quantity: 1, unitPrice: 100, total: 33.33 },
    ];
    const adjustments = [{ kind: "discount" as const, amount: -10 }];
    const check = paidCheck({ lines, adjustments, totals: { subtotal: 90, tax: 0, total: 90 } });
    const chosen = lines.map(({ id, quantity }) => ({ lineId: id, quantity }));
    const whole = {
      ...refund,
      lines: chosen,
      amount: 90,
      refund: [{ methodId: 1, amount: 90 }],
      isWhole: true as const,
    };
    const amountsOf = (total: number, amount = 90) =>
      textOf(creditNote(check, { ...whole, total, amount }, paperContext), 48).match(
        /(?<=Sancocho|Café|TOTAL|Efectivo).*\d/g,
      );
    expect(amountsOf(100)?.map((amount) => amount.trim())).toEqual(["66.67", "33.33", "RD$100.00", "90.00"]);
    expect(amountsOf(100, 100)?.map((amount) => amount.trim())).toEqual(["66.67", "33.33", "RD$100.00", "90.00"]);
    expect(amountsOf(90)?.map((amount) => amount.trim())).toEqual(["60.00", "30.00", "RD$90.00", "90.00"]);
  });

  it("a credit note lists its taxes, and those of all notes of a check add up to the receipt's [PRINT-332]", () => {
    const check = paidCheck();
    const { adjustments: _, ...plain } = check;
    const chosen = [
      [{ lineId: "l1", quantity: 1 }],
      [{ lineId: "l1", quantity: 1 }],
      [
        { lineId: "l2", quantity: 1 },
        { lineId: "l3", quantity: 1 },
      ],
    ];
    const notes: Refund[] = [];
    for (const [index, lines] of chosen.entries()) {
      const before = notes.flatMap((note) => note.lines);
      const amount = refundAmount(check, lines, before);
      const at = `2026-11-28T15:0${index}:00.000Z`;
      notes.push({ ...refund, refundId: `r${index}`, at, lines, amount, refund: [{ methodId: 1, amount }] });
    }
    const amountsOf = (snapshot: Snapshot, note: Refund) =>
      (
        textOf(creditNote({ ...snapshot, refunds: notes }, note, paperContext), 48).match(
          /(?<=Subtotal|ITBIS 18 %|legal 10 %|Ajustes de la cuenta|TOTAL).*\d/gu,
        ) ?? []
      ).map((amount) => Number(amount.trim().replace(/^RD\$/u, "").replaceAll(",", "")));
    const noteAmounts = notes.map((note) => amountsOf(check, note));
    expect(noteAmounts[0]).toEqual([450, 81, 45, -33.95, 542.05]);
    const sums = noteAmounts.reduce((sums, amounts) => sums.map((each, index) => sum([each, amounts[index] ?? 0])));
    expect(sums).toEqual([1325.5, 238.59, 132.55, -100, 1596.64]);
    const whole = { ...refund, lines: [], amount: 1696.64, refund: [{ methodId: 1, amount: 1696.64 }] };
    expect(amountsOf(plain, whole)).toEqual([1325.5, 238.59, 132.55, 1696.64]);
  });

  it("a credit note lists its tax even if another system reported tax only for the whole check [PRINT-332]", () => {
    const line = { quantity: 1, unitPrice: 100, total: 100, taxAmount: 0, taxIds: [1] };
    const sold = ["a", "b", "c"].map((id) => ({ ...line, id, name: id }));
    const check = paidCheck({ lines: sold, totals: { subtotal: 254.24, tax: 45.76, total: 300 }, adjustments: [] });
    const sumsOf = (blocks: readonly Block[]) =>
      Array.from(textOf(blocks, 48).matchAll(/^ *(Subtotal|ITBIS|Otros|Ajustes).* (?:RD\$)?([\d.]+)$/gmu), (found) => [
        found[1],
        Number(found[2]),
      ]);
    const noteOf = (snapshot: Snapshot, lines: Refund["lines"], amount: number, at = refund.at) =>
      creditNote(
        snapshot,
        { ...refund, refundId: at, at, lines, amount, refund: [{ methodId: 1, amount }] },
        paperContext,
      );
    expect(sumsOf(noteOf(check, [], 300))).toEqual(sumsOf(receipt(check, paperContext)));
    const parts = sold.map(({ id }, index) =>
      sumsOf(noteOf(check, [{ lineId: id, quantity: 1 }], 100, `2026-11-28T15:0${index}:00.000Z`)),
    );
    expect(parts.map((amounts) => amounts[1])).toEqual([
      ["Otros", 15.26],
      ["Otros", 15.25],
      ["Otros", 15.25],
    ]);
    // Tax on top of the lines' totals.
    const onTop = { ...check, totals: { subtotal: 300, tax: 54, total: 354 } };
    expect(sumsOf(noteOf(onTop, [], 354))).toEqual([
      ["Subtotal", 300],
      ["Otros", 54],
    ]);
  });

  it("a promised time on another day than the send is printed with its day [TOUCH-486]", () => {
    const slip = { kind: "new", dishes: [], check: paidCheck(), at: "2026-11-27T23:42:00.000Z" } as const;
    const promiseText = (promisedAt: string) =>
      textOf(stationSlip({ ...slip, ticket: ticket({ promisedAt }) }, paperContext), 32);
    expect(promiseText("2026-11-28T03:30:00.000Z")).toContain("| Para las 11:30 p. m.");
    expect(promiseText("2026-11-28T15:00:00.000Z")).toContain("| Para el 28-11-2026, 11:00 a. m.");
  });

  it("the last day of a number is printed if the back-office names one [PRINT-162]", () => {
    const expiryText = (expiresOn?: string) => {
      const fiscal = { status: "assigned" as const, type: "E32", ...(expiresOn !== undefined && { expiresOn }) };
      return textOf(receipt(paidCheck({ ncf: "E320000000042", fiscal }), paperContext), 48);
    };
    expect(expiryText("2027-12-31")).toContain("Válido hasta: 31-12-2027");
    expect(expiryText()).not.toContain("Válido hasta");
  });

  it("an amount is printed beside its text wherever both fit [PRINT-163]", () => {
    const total = (right: string) =>
      layOut([{ kind: "row", left: "TOTAL", right, size: "large" }], 32).map((line) => line.text);
    expect(total("RD$448.00")).toEqual(["TOTAL  RD$448.00"]);
    expect(total("RD$1,448.00")).toEqual(["TOTAL", "     RD$1,448.00"]);
    const broken = layOut([{ kind: "row", left: "\na", right: "x".repeat(29) }], 32).map((line) => line.text);
    expect(broken).toEqual([`   ${"x".repeat(29)}`, "  a"]);
  });

  it("a word longer than the line stays one word [PRINT-257]", () => {
    const reference = "AUT-009988-LOTE-77-REF-4f2a9c1b7d3e5a60-VISA-4821";
    const textBeside = (right: string) =>
      layOut([{ kind: "row", left: `Ref. ${reference}`, right, indent: 2 }], 32)
        .map(({ text }) => text.replace(right, "").trim())
        .join("");
    expect(textBeside("")).toBe(`Ref. ${reference}`);
    expect(textBeside("596.64")).toBe(`Ref. ${reference}`);
  });

  it("the amounts above a total add up to it, whatever parts another system sent [PRINT-258]", () => {
    const sumsOf = (totals: object, taxOfLine: object = { taxAmount: 18 }) => {
      const lines = [{ id: "l1", name: "Café", quantity: 1, unitPrice: 100, total: 118, taxIds: [1], ...taxOfLine }];
      const sent = { lines, totals: { subtotal: 100, tax: 18, total: 118, ...totals }, adjustments: [] };
      const amounts = textOf(receipt(paidCheck(sent), paperContext), 48).match(
        /(?<=Subtotal|ITBIS 18 %|impuestos|TOTAL).*/gu,
      );
      return amounts?.map((amount) => amount.trim());
    };
    expect(sumsOf({})).toEqual(["100.00", "18.00", "RD$118.00"]);
    expect(sumsOf({ subtotal: 0, tax: 0 })).toEqual(["100.00", "18.00", "RD$118.00"]);
    expect(sumsOf({}, {})).toEqual(["100.00", "18.00", "RD$118.00"]);
  });

  it("a shift report lists every count if there was more than one [TILL-155]", () => {
    const text = textOf(documents["shift-closed"], 48);
    expect(text).toMatch(/10:50 p\. m\. · Luz · un billete roto\n +Efectivo +RD\$2,400\.00\n +Efectivo · USD +81\.00/u);
    expect(text).toMatch(/11:00 p\. m\. · Luz · Autorizó Marisol\n +Efectivo +RD\$2,640\.00/u);
    const once = shiftPaper({ ...closedShift, counts: closedShift.counts.slice(1) }, paperContext);
    expect(textOf(once, 48)).not.toContain("Conteos");
  });

  it.each([
    ["B1200000007", "Registro Único de Ingresos"],
    ["B1700000007", "Comprobante Fiscal"],
    [undefined, "Recibo"],
  ])("a receipt with the number %s is titled %s [PRINT-165]", (ncf, title) => {
    const { ncf: _ncf, fiscal: _fiscal, ...check } = paidCheck();
    const blocks = receipt({ ...check, ...(ncf !== undefined && { ncf }) }, paperContext);
    expect(textOf(blocks, 48)).toMatch(new RegExp(`^ +${title}$`, "m"));
  });

  it("the receipt of a large sale to a final consumer has space for missing buyer details [PRINT-103]", () => {
    const totals = { subtotal: 195_312.5, tax: 54_687.5, total: 250_000 };
    const large = paidCheck({ totals, ncf: "B0200000123", fiscal: { status: "assigned", type: "B02" } });
    expect(textOf(receipt(large, paperContext), 48)).toMatch(/RNC\/Cédula: _+\n +Cliente: _+/u);
    expect(textOf(documents["receipt-paper"], 48)).not.toContain("Cliente:");
  });

  it("a receipt of a taxpayer type has space for missing buyer details [PRINT-103]", () => {
    const named = paidCheck({ ncf: "E310000000123", fiscal: { status: "assigned", type: "E31", rnc: "131246789" } });
    expect(textOf(receipt(named, paperContext), 48)).toMatch(/RNC\/Cédula: 131246789\n +Cliente: _+/u);
    const abroad = paidCheck({ ncf: "B1600000042", fiscal: { status: "assigned", type: "B16", rnc: "131246789" } });
    expect(textOf(receipt(abroad, paperContext), 48)).toMatch(/RNC\/Cédula: 131246789\n +Cliente: _+/u);
    const refused = paidCheck({ ncf: undefined, fiscal: { status: "failed", type: "B01" } });
    expect(textOf(receipt(refused, paperContext), 48)).toMatch(/RNC\/Cédula: _+\n +Cliente: _+/u);
  });
});
