import type { Language, Snapshot, StoredLine, VersionKind } from "@comanda/protocol";
import { beginningFacts, orderFacts } from "@comanda/rules";
import { createFormat } from "@comanda/ui/format.ts";
import { translateIn } from "@comanda/ui/translation.ts";
import { describe, expect, it } from "vitest";
import { textsOf } from "../../app/texts.ts";
import { describeFacts, type FactFormatter } from "./describe-facts.ts";

function formatterOf(language: Language): FactFormatter {
  const products: Record<string, string> = { "1": "Mofongo", "2": "Ropa vieja", "3": "Cerveza" };
  return {
    t: translateIn(textsOf(language), language, "orders"),
    format: createFormat(language, "DOP"),
    productName: (productId) => products[productId],
    tableName: (tableId) => (language === "es" ? `Mesa ${tableId}` : `Table ${tableId}`),
  };
}

const es = formatterOf("es");
const en = formatterOf("en");

const mofongo: StoredLine = { id: "a", productId: "1", quantity: 1, total: 100 };

/** Returns a check with these fields. */
function check(fields: Partial<Snapshot> = {}): Snapshot {
  return {
    posReference: "A",
    status: "open",
    orderType: "dine_in",
    tableId: 4,
    guestCount: 2,
    createdAt: "2026-11-20T23:00:00.000Z",
    updatedAt: "2026-11-20T23:00:00.000Z",
    lines: [mofongo],
    totals: { subtotal: 100, tax: 0, total: 100 },
    ...fields,
  };
}

const withTotal = (total: number) => ({ totals: { subtotal: total, tax: 0, total } });
const withLine = (fields: Partial<StoredLine>) => check({ lines: [{ ...mofongo, ...fields }] });

interface InLanguage {
  formatter?: FactFormatter;
  kind?: VersionKind;
}

function describeChange(
  before: Snapshot,
  after: Snapshot,
  { formatter = es, kind = "edited" }: InLanguage = {},
): string[] {
  const { sentences, others } = describeFacts(orderFacts(before, after, kind), formatter);
  expect(others).toEqual([]);
  // Amounts and percentages contain non-breaking spaces.
  return sentences.map((sentence) => sentence.replaceAll(/\s/g, " "));
}

const describeLineChange = (before: Partial<StoredLine>, after: Partial<StoredLine>, options?: InLanguage) =>
  describeChange(withLine(before), withLine(after), options);

describe("facts of a version in words", () => {
  it("a version names the dishes that were added and removed, with their number [UI-210] [OP-41]", () => {
    const beer: StoredLine = { id: "f", productId: "2", quantity: 2 };
    const before = check({ lines: [{ id: "b", productId: "3", quantity: 1 }, beer] });
    const after = check({
      lines: [
        { ...mofongo, quantity: 2, modifiers: [{ name: "Sin ajo" }, "Con queso", { price: 5 }] },
        { id: "c", productId: "99", name: "Trago especial", quantity: 0.5 },
        { id: "d", productId: "2", quantity: 1, splitOf: "x" },
        { id: "e", productId: "2", quantity: 1, splitFrom: "POS/1", splitOf: "x" },
        { ...beer, quantity: 3, total: 30 },
      ],
    });
    expect(describeChange(before, after)).toEqual([
      "Se agregó 2 × Mofongo (Sin ajo y Con queso)",
      "Se agregó 0.5 × Trago especial",
      "Se separó 1 × Ropa vieja en otra línea",
      "Llegó 1 × Ropa vieja de otra cuenta",
      "Se quitó 1 × Cerveza",
      "Ropa vieja: de 2 a 3",
    ]);
    expect(describeChange(before, after, { formatter: en })).toEqual([
      "Added 2 × Mofongo (Sin ajo and Con queso)",
      "Added 0.5 × Trago especial",
      "Split off 1 × Ropa vieja as a line of its own",
      "1 × Ropa vieja came from another check",
      "Removed 1 × Cerveza",
      "Ropa vieja: from 2 to 3",
    ]);
  });

  it("the first version names what the check began with [UI-210]", () => {
    const lines: StoredLine[] = [
      { ...mofongo, quantity: 2, modifiers: ["Sin ajo"], menuCheck: "below" },
      { id: "b", productId: "3", quantity: 1 },
    ];
    const describeStart = (formatter: FactFormatter) => describeFacts(beginningFacts(lines), formatter).sentences;
    expect(describeStart(es)).toEqual(["Con 2 × Mofongo (Sin ajo) y 1 × Cerveza", "Mofongo: por menos que en el menú"]);
    expect(describeStart(en)).toEqual([
      "With 2 × Mofongo (Sin ajo) and 1 × Cerveza",
      "Mofongo: below the menu's price",
    ]);
  });

  it("a void is described with its quantity and reason [UI-210]", () => {
    const three = { quantity: 3, total: 300 };
    const whole = { ...three, total: 0, voided: true, voidReason: "se cayó" };
    expect(describeLineChange(three, whole)).toEqual(["Se anuló 3 × Mofongo (motivo: se cayó)"]);
    expect(describeLineChange(three, whole, { formatter: en })).toEqual(["Voided 3 × Mofongo (reason: se cayó)"]);
    const [one, two] = [1, 2].map((voidedQuantity) => ({
      ...three,
      voidedQuantity,
      total: 100 * (3 - voidedQuantity),
    }));
    expect(describeLineChange(one ?? {}, two ?? {})).toEqual(["Se anuló 1 × Mofongo"]);
    expect(describeLineChange(one ?? {}, { ...three, voided: true })).toEqual(["Se anuló 2 × Mofongo"]);
    expect(describeLineChange({ voided: true }, {})).toEqual(["Ya no está anulado: 1 × Mofongo"]);
    expect(describeLineChange({ voidReason: "a" }, { voidReason: "b" })).toEqual([
      "Mofongo: motivo de la anulación: b",
    ]);
  });

  it("an option is described with its number, also if only the number has changed [UI-210]", () => {
    const cheese = (quantity: number) => ({ modifiers: [{ name: "Queso", quantity }] });
    expect(describeLineChange(cheese(1), cheese(2))).toEqual([
      "Mofongo: se agregó 2 x Queso",
      "Mofongo: se quitó Queso",
    ]);
    expect(describeChange(check({ lines: [] }), withLine(cheese(2)))).toEqual(["Se agregó 1 × Mofongo (2 x Queso)"]);
  });

  it("every other change of a dish is described: price, note, seat, course, options, discount, product [UI-210]", () => {
    const extras = (...names: string[]) => names.map((name, id) => ({ id, name, price: 10 }));
    expect(
      describeLineChange(
        { unitPrice: 100, specialRequest: "tarde", seat: 1, modifiers: extras("Queso", "Ajo") },
        {
          unitPrice: 120,
          total: 120,
          note: "sin sal",
          seat: 2,
          course: 2,
          modifiers: extras("Queso", "Bacon"),
          discount: { percent: 10 },
        },
      ),
    ).toEqual([
      "Mofongo: el precio pasó de RD$100.00 a RD$120.00",
      "Mofongo: nota «sin sal»",
      "Mofongo: se quitó el pedido especial «tarde»",
      "Mofongo: del asiento 1 al 2",
      "Mofongo: tiempo 2",
      "Mofongo: se agregó Bacon",
      "Mofongo: se quitó Ajo",
      "Mofongo: descuento de 10 %",
    ]);
    expect(describeLineChange({ total: 100 }, { total: 90 })).toEqual([
      "Mofongo: el monto pasó de RD$100.00 a RD$90.00",
    ]);
    expect(describeLineChange({ productId: "2" }, { total: 90 })).toEqual(["Mofongo en lugar de Ropa vieja"]);
    expect(describeLineChange({ discount: { amount: 5 } }, {}, { formatter: en })).toEqual([
      "Mofongo: removed the discount",
    ]);
    expect(describeLineChange({ name: "Trago" }, { name: "Trago largo" })).toEqual([
      "Trago ahora se llama Trago largo",
    ]);
  });

  it("changes of the check are described: table, guests, people, notes, and the total last [UI-210]", () => {
    const before = check({ status: "sent", staffName: "Ana", notes: "con prisa", ...withTotal(1000) });
    const after = check({
      status: "changed",
      tableId: 7,
      tableIds: [7, 8],
      guestCount: 4,
      customerName: "María",
      staffName: "Luis",
      notes: null,
      orderType: "takeout",
      ...withTotal(1200),
    });
    expect(describeChange(before, after)).toEqual([
      "Mesa 4 → Mesa 7",
      "Mesas unidas: Mesa 7 y Mesa 8",
      "Personas: de 2 a 4",
      "Cliente: María",
      "La atiende Luis, antes Ana",
      "Se quitó la nota: con prisa",
      "Para llevar en lugar de En mesa",
      "Cambió después de enviarse a cocina",
      "Total: de RD$1,000.00 a RD$1,200.00",
    ]);
    expect(describeChange(before, after, { formatter: en })).toEqual([
      "Table 4 → Table 7",
      "Joined tables: Table 7 and Table 8",
      "Guests: from 2 to 4",
      "Customer: María",
      "Served by Luis, before Ana",
      "Removed the note: con prisa",
      "Takeout instead of Dine-in",
      "It changed after it was sent to the kitchen",
      "Total: from RD$1,000.00 to RD$1,200.00",
    ]);
    expect(describeChange(check({ status: "checkout" }), check())).toEqual(["Estado: de «En cobro» a «Abierta»"]);
    expect(describeChange(check({ tableIds: [4, 5] }), check({ tableId: null }))).toEqual([
      "Dejó Mesa 4",
      "Las mesas ya no están unidas",
    ]);
  });

  it("a discount is described with its percentage, its reason and who allowed it [UI-210]", () => {
    const discount = { kind: "discount" as const, amount: -150, reason: "cumpleaños", by: "Rosa" };
    const tip = { kind: "tip" as const, amount: 50 };
    const [plain, reduced] = [check(withTotal(1500)), check({ adjustments: [discount, tip], ...withTotal(1400) })];
    expect(describeChange(plain, reduced)).toEqual([
      "Descuento de RD$150.00 (10 %), motivo: cumpleaños, con permiso de Rosa",
      "Propina de RD$50.00",
      "Total: de RD$1,500.00 a RD$1,400.00",
    ]);
    const again = check({ adjustments: [tip], ...withTotal(1400) });
    expect(describeChange(reduced, again, { formatter: en })).toEqual(["Removed the discount of RD$150.00"]);
  });

  it("changes that follow from others, or have an entry of their own, are not described [UI-210]", () => {
    const after = check({
      totals: { subtotal: 90, tax: 10, total: 100 },
      tenders: [],
      fiscal: { status: "none" },
      updatedAt: "2026-11-20T23:01:00.000Z",
      lines: [{ ...mofongo, kitchenTicketId: "5f0c", sentQuantity: 2, preparedQuantity: 2, taxAmount: 2 }],
    });
    expect(describeChange(check(), after)).toEqual([]);
    expect(describeChange(check(), check({ status: "sent" }), { kind: "sent" })).toEqual([]);
  });

  it("prepared quantities are described if they are the news of the version [UI-211]", () => {
    const made = (preparedQuantity: number, kitchenItemStatus?: string) => ({
      quantity: 3,
      preparedQuantity,
      ...(kitchenItemStatus !== undefined && { kitchenItemStatus }),
    });
    expect(describeLineChange(made(1), made(3), { kind: "bumped" })).toEqual(["Listo: 2 × Mofongo"]);
    expect(describeLineChange(made(3), made(2), { kind: "bumped", formatter: en })).toEqual([
      "To be made again: 1 × Mofongo",
    ]);
    expect(describeLineChange(made(0), made(0, "started"), { kind: "bumped" })).toEqual(["En preparación: Mofongo"]);
    expect(describeLineChange(made(0), made(1, "started"), { kind: "bumped" })).toEqual(["Listo: 1 × Mofongo"]);
  });

  it("a field without a sentence is named without its value [UI-210]", () => {
    const after = check({ loyalty: { id: "3c9d", points: 12 }, lines: [{ ...mofongo, plating: ["x"] }] });
    expect(describeFacts(orderFacts(check(), after, "edited"), es)).toEqual({
      sentences: [],
      others: ["Mofongo: plating", "loyalty"],
    });
  });

  it("invalid values in a line of a terminal do not break its description [UI-210]", () => {
    expect(describeLineChange({ modifiers: "[" }, { modifiers: [{ price: 1 }, 5, "Ajo"], discount: null })).toEqual([
      "Mofongo: se agregó Ajo",
    ]);
    expect(describeLineChange({ discount: null }, { discount: "x" })).toEqual(["Mofongo: se quitó el descuento"]);
  });
});
