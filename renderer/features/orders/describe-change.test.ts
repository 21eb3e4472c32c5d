import type { Language, OrderDifference, VersionKind } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { textsOf } from "../../app/texts.ts";
import { createFormat } from "@comanda/ui/format.ts";
import { translateIn } from "@comanda/ui/translation.ts";
import { describeChange, type Words } from "./describe-change.ts";

function wordsOf(language: Language): Words {
  const products: Record<string, string> = { "1": "Mofongo", "2": "Ropa vieja", "3": "Cerveza" };
  return {
    t: translateIn(textsOf(language), language, "orders"),
    format: createFormat(language, "DOP"),
    productName: (productId) => products[productId],
    tableName: (tableId) => (language === "es" ? `Mesa ${tableId}` : `Table ${tableId}`),
  };
}

const es = wordsOf("es");
const en = wordsOf("en");

type Value = string | number | boolean | null;
const field = (name: string, before: Value, after: Value): OrderDifference => ({
  kind: "field",
  field: name,
  before,
  after,
});
const mofongo = { lineId: "0d8a9d0e-6a4e-4cc2-8b1c-6c1b3d2f9f10", productId: "1" };
const line = (name: string, before: Value, after: Value, more: { quantity?: number } = {}): OrderDifference => ({
  kind: "line_changed",
  ...mofongo,
  field: name,
  before,
  after,
  ...more,
});
const totals = (total: number) => JSON.stringify({ subtotal: total, tax: 0, total });

function said(differences: OrderDifference[], words = es, kind: VersionKind = "edited"): string[] {
  const { sentences, others } = describeChange({ kind, differences }, words);
  expect(others).toEqual([]);
  // Amounts and percentages are written with a space that does not break.
  return sentences.map((sentence) => sentence.replaceAll(/\s/g, " "));
}

describe("a change of an order, in words", () => {
  it("[UI-210] says which dishes came, went, and in what number", () => {
    const differences: OrderDifference[] = [
      { kind: "line_added", ...mofongo, quantity: 2, total: 100, modifiers: ["Sin ajo", "Con queso"] },
      { kind: "line_removed", lineId: "b", productId: "3", quantity: 1, total: 50 },
      { kind: "line_added", lineId: "c", productId: "99", name: "Trago especial", quantity: 0.5, total: 50 },
      { kind: "line_added", lineId: "d", productId: "2", quantity: 1, total: 50, splitOf: "x" },
      { kind: "line_added", lineId: "e", productId: "2", quantity: 1, total: 50, splitFrom: "POS/1", splitOf: "x" },
      { kind: "line_changed", lineId: "f", productId: "2", field: "quantity", before: 2, after: 3 },
    ];
    expect(said(differences)).toEqual([
      "Se agregó 2 × Mofongo (Sin ajo y Con queso)",
      "Se quitó 1 × Cerveza",
      "Se agregó 0.5 × Trago especial",
      "Se separó 1 × Ropa vieja en otra línea",
      "Llegó 1 × Ropa vieja de otra cuenta",
      "Ropa vieja: de 2 a 3",
    ]);
    expect(said(differences, en)).toEqual([
      "Added 2 × Mofongo (Sin ajo and Con queso)",
      "Removed 1 × Cerveza",
      "Added 0.5 × Trago especial",
      "Split off 1 × Ropa vieja as a line of its own",
      "1 × Ropa vieja came from another check",
      "Ropa vieja: from 2 to 3",
    ]);
  });

  it("[UI-210] says what a check began with", () => {
    const lines = [
      { ...mofongo, quantity: 2, total: 100, modifiers: ["Sin ajo"] },
      { lineId: "b", productId: "3", quantity: 1, total: 50 },
    ];
    const opened = { kind: "created" as const, lines, differences: [] };
    expect(describeChange(opened, es).sentences).toEqual(["Con 2 × Mofongo (Sin ajo) y 1 × Cerveza"]);
    expect(describeChange(opened, en).sentences).toEqual(["With 2 × Mofongo (Sin ajo) and 1 × Cerveza"]);
  });

  it("[UI-210] says what was voided, how much of it and why", () => {
    const whole = [line("voided", null, true, { quantity: 3 }), line("voidReason", null, "se cayó")];
    expect(said(whole)).toEqual(["Se anuló 3 × Mofongo (motivo: se cayó)"]);
    expect(said(whole, en)).toEqual(["Voided 3 × Mofongo (reason: se cayó)"]);
    const part = [line("voidedQuantity", 1, 2), line("total", 300, 200), line("taxAmount", 30, 20)];
    expect(said(part)).toEqual(["Se anuló 1 × Mofongo"]);
    const rest = [line("voidedQuantity", 1, null), line("voided", null, true, { quantity: 3 })];
    expect(said(rest)).toEqual(["Se anuló 2 × Mofongo"]);
    expect(said([line("voided", true, null, { quantity: 1 })])).toEqual(["Ya no está anulado: 1 × Mofongo"]);
    expect(said([line("voidReason", "a", "b")])).toEqual(["Mofongo: motivo de la anulación: b"]);
  });

  it("[UI-210] says what else became of a dish: price, note, seat, course, extras, discount, another dish", () => {
    const extras = (...names: string[]) => JSON.stringify(names.map((name, id) => ({ id, name, price: 10 })));
    expect(
      said([
        line("unitPrice", 100, 120),
        line("total", 100, 120),
        line("note", null, "sin sal"),
        line("specialRequest", "tarde", null),
        line("seat", 1, 2),
        line("course", null, 2),
        line("modifiers", extras("Queso", "Ajo"), extras("Queso", "Bacon")),
        line("discount", null, JSON.stringify({ percent: 10 })),
      ]),
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
    expect(said([line("total", 100, 90)])).toEqual(["Mofongo: el monto pasó de RD$100.00 a RD$90.00"]);
    expect(said([line("productId", "2", "1"), line("total", 100, 90)])).toEqual(["Mofongo en lugar de Ropa vieja"]);
    expect(said([line("discount", JSON.stringify({ amount: 5 }), null)], en)).toEqual([
      "Mofongo: removed the discount",
    ]);
  });

  it("[UI-210] says what became of the check: table, guests, people, notes, total last", () => {
    const differences = [
      field("totals", totals(1000), totals(1200)),
      field("tableId", 4, 7),
      field("tableIds", null, JSON.stringify([7, 8])),
      field("guestCount", 2, 4),
      field("customerName", null, "María"),
      field("staffName", "Ana", "Luis"),
      field("notes", "con prisa", null),
      field("orderType", "dine_in", "takeout"),
      field("status", "sent", "changed"),
    ];
    expect(said(differences)).toEqual([
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
    expect(said(differences, en)).toEqual([
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
    expect(said([field("status", "checkout", "open")])).toEqual(["Estado: de «En cobro» a «Abierta»"]);
  });

  it("[UI-210] says a discount with its percentage, reason and who allowed it", () => {
    const discount = { kind: "discount", amount: -150, reason: "cumpleaños", by: "Rosa" };
    const tip = { kind: "tip", amount: 50 };
    const differences = [
      field("adjustments", null, JSON.stringify([discount, tip])),
      field("totals", totals(1500), totals(1400)),
    ];
    expect(said(differences)).toEqual([
      "Descuento de RD$150.00 (10 %), motivo: cumpleaños, con permiso de Rosa",
      "Propina de RD$50.00",
      "Total: de RD$1,500.00 a RD$1,400.00",
    ]);
    expect(said([field("adjustments", JSON.stringify([discount, tip]), JSON.stringify([tip]))], en)).toEqual([
      "Removed the discount of RD$150.00",
    ]);
  });

  it("[UI-210] is silent about what follows from something else or has an entry of its own", () => {
    expect(
      said([
        field("totals", JSON.stringify({ subtotal: 90, tax: 10, total: 100 }), totals(100)),
        field("tenders", null, "[]"),
        field("fiscal", null, JSON.stringify({ status: "none" })),
        line("kitchenTicketId", null, "5f0c"),
        line("sentQuantity", null, 2),
        line("preparedQuantity", 1, 2),
        line("taxAmount", 1, 2),
      ]),
    ).toEqual([]);
    expect(said([field("status", "open", "sent")], es, "sent")).toEqual([]);
  });

  it("[UI-211] says what the kitchen has made when that is the news", () => {
    expect(said([line("preparedQuantity", 1, 3)], es, "bumped")).toEqual(["Listo: 2 × Mofongo"]);
    expect(said([line("preparedQuantity", 3, 2)], en, "bumped")).toEqual(["To be made again: 1 × Mofongo"]);
    const started = line("kitchenItemStatus", null, "started");
    expect(said([started], es, "bumped")).toEqual(["En preparación: Mofongo"]);
    expect(said([line("preparedQuantity", 0, 1), started], es, "bumped")).toEqual(["Listo: 1 × Mofongo"]);
  });

  it("[UI-210] names what it has no sentence for, and never shows its value", () => {
    const differences = [
      field("loyalty", null, JSON.stringify({ id: "3c9d", points: 12 })),
      line("plating", null, JSON.stringify(["x"])),
    ];
    expect(describeChange({ kind: "edited", differences }, es)).toEqual({
      sentences: [],
      others: ["Mofongo: plating", "loyalty"],
    });
  });

  it("[UI-210] survives records that are not what they should be", () => {
    const differences = [
      field("adjustments", "no list", '{"a":1}'),
      field("totals", "broken", "12"),
      field("tableIds", null, '"x"'),
      line("modifiers", "[", '[{"price":1},5,"Ajo"]'),
      line("discount", null, "[]"),
    ];
    expect(said(differences)).toEqual([
      "Mofongo: se agregó Ajo",
      "Mofongo: se quitó el descuento",
      "Las mesas ya no están unidas",
    ]);
  });
});
