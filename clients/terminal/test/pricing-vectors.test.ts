import { toCents } from "@comanda/rules";
import { orderVectors } from "@comanda/rules/test/pricing-vectors.ts";
import { describe, expect, it } from "vitest";
import {
  addLine,
  lineForProduct,
  totalsOfLines,
  voidLine,
  type ChosenProduct,
  type OrderContent,
} from "../src/index.ts";

const product = { id: 108, name: "La Bandera", categoryId: 1 };

describe("the pricing vectors on a terminal", () => {
  for (const { topic, name, orderType, rounding, lines, expected } of orderVectors) {
    it(`${topic}: ${name} [PRICE-17]`, () => {
      let content: OrderContent = { orderType, lines: [] };
      for (const [index, line] of lines.entries()) {
        const { unitPrice, quantity, voidedQuantity = 0, modifiers = [], discount, taxes, voided } = line;
        // A terminal enters a modifier twice for a quantity of two, and voids by lowering the quantity.
        const prices = modifiers.flatMap((modifier) =>
          Array.from({ length: modifier.quantity ?? 1 }, () => modifier.price),
        );
        const chosen: ChosenProduct = {
          lineId: `line-${index}`,
          orderType,
          quantity: quantity - voidedQuantity,
          modifiers: prices.map((price, id) => ({ id, name: "extra", price })),
          ...(discount !== undefined && { discount }),
        };
        const menuProduct = { ...product, price: unitPrice, taxIds: taxes.map((tax) => Number(tax.id)) };
        const priceList = {
          rounding,
          taxes: taxes.map((tax) => ({ ...tax, id: Number(tax.id), name: "tax", orderTypes: [...tax.orderTypes] })),
        };
        content = addLine(content, lineForProduct(menuProduct, priceList, chosen));
        if (voided === true) content = voidLine(content, chosen.lineId);
      }
      expect(content.lines?.map(({ taxAmount, total }) => [taxAmount, total])).toEqual(
        lines.map(({ expected: [, tax, total] }) => [tax, total]),
      );
      if (rounding === "order") return;
      const [subtotal, tax] = expected.amounts;
      const total = (toCents(subtotal) + toCents(tax)) / 100;
      expect(totalsOfLines(content.lines ?? [])).toEqual({ subtotal, tax, total });
    });
  }
});
