import type { BackOfficeProduct, Snapshot, StoredLine } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import {
  choiceOf,
  heldCourses,
  lineLike,
  newLine,
  toSend,
  unsentByProduct,
  withChoice,
  type Choice,
} from "./check-lines.ts";
import { countsByStation, sendableLines } from "./send-check.ts";
import { readNote, writeNote } from "../features/order/choices/quick-notes.ts";
import { testMenu } from "../test/test-menu.ts";

const menu = testMenu();

function coffee(): BackOfficeProduct {
  const product = menu.product(103);
  if (product === undefined) throw new Error("no coffee");
  return product;
}

function line(lineId: string, choice: Choice = {}, kitchen: Partial<StoredLine> = {}): StoredLine {
  return { ...newLine(coffee(), { menu: menu.menu, orderType: "dine_in", lineId }, choice), ...kitchen };
}

describe("courses", () => {
  it("a line of a later course is held: Send skips it, and its course lists it, the next course first [TOUCH-16]", () => {
    const lines = [line("a"), line("b", { course: 3 }), line("c", { course: 2 }), line("d", { course: 1 })];
    expect(toSend(lines).map(({ id }) => id)).toEqual(["a", "d"]);
    expect(heldCourses(lines).map(({ course, lines: held }) => [course, held.map(({ id }) => id)])).toEqual([
      [2, ["c"]],
      [3, ["b"]],
    ]);
  });

  it("quantities by weight add up in decimals, and each counts as one dish to carry [TOUCH-15] [TOUCH-463]", () => {
    const lines = [line("a", { quantity: 0.1 }), line("b", { quantity: 0.2 })];
    expect([...unsentByProduct(lines).values()]).toEqual([0.3]);
    expect(countsByStation(lines, menu)).toEqual([{ name: "Bar", quantity: 2 }]);
  });

  it("a dish taken off the menu before the send goes to the station of its category [TOUCH-899]", () => {
    expect(line("a")).toMatchObject({ productId: "103", categoryId: 2 });
    expect(countsByStation([line("a", {}, { productId: "998" })], menu)).toEqual([{ name: "Bar", quantity: 1 }]);
    const older = line("a", {}, { productId: "999", categoryId: undefined });
    expect(countsByStation([older], menu)).toEqual([{ name: "Cocina", quantity: 1 }]);
  });

  it("the rest of a refused send has the lines before the one that has run out [TOUCH-358]", () => {
    const tea = (lineId: string) => line(lineId, {}, { productId: "999" });
    const lines = [line("a"), tea("b"), line("c"), line("d"), tea("e")];
    const restWithout = (out: StoredLine | undefined) => sendableLines(lines, out).map(({ id }) => id);
    expect(restWithout(line("c"))).toEqual(["a", "b", "e"]);
    expect(restWithout(line("a"))).toEqual(["b", "e"]);
    // The line was added elsewhere meanwhile.
    expect(restWithout(line("f"))).toEqual(["b", "e"]);
    expect(restWithout(undefined)).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("a sent line is not held any more, even if its quantity grows [TOUCH-16]", () => {
    const fired = line("a", { course: 2, quantity: 3 }, { sentQuantity: 2 });
    expect(heldCourses([fired])).toEqual([]);
    expect(toSend([fired])).toEqual([fired]);
  });
});

describe("choices of a line", () => {
  it("an allergy is separate from the note, and lines with different ones stay separate [TOUCH-327]", () => {
    const allergic = line("a", { note: "Sin sal", allergy: "Maní" });
    expect(allergic).toMatchObject({ note: "Sin sal", allergy: "Maní" });
    expect(choiceOf(allergic)).toMatchObject({ note: "Sin sal", allergy: "Maní" });
    const snapshot = { lines: [line("b", { note: "Sin sal" }), allergic] } as Snapshot;
    expect(lineLike(snapshot, line("c", { note: "Sin sal", allergy: "Maní" }))?.id).toBe("a");
    expect(lineLike(snapshot, line("c", { note: "Sin sal" }))?.id).toBe("b");
    expect(lineLike(snapshot, line("c", { note: "Sin sal", allergy: "Huevo" }))).toBeUndefined();
    const requested = { lines: [{ ...line("d", {}), specialRequest: "Bien cocido" }] } as Snapshot;
    expect(lineLike(requested, line("e", {}))).toBeUndefined();
  });

  it("the choices of a line are read as they were made [TOUCH-14]", () => {
    const choice: Choice = {
      quantity: 2,
      modifiers: [{ id: 9, name: "Con leche", price: 20 }],
      note: "Sin sal, tibio",
      seat: 3,
      course: 2,
    };
    expect(choiceOf(line("a", choice))).toEqual(choice);
    expect(line("a", choice)).toMatchObject({ hold: true, unitPrice: 80, total: 236 });
  });

  it("changed choices leave the line's other fields as they are, at its own price [TOUCH-14]", () => {
    const milk = { id: 9, name: "Con leche", price: 15, quantity: 2 };
    const opened = line("a", { modifiers: [milk], discount: { amount: 10 } }, { name: "Café de la casa" });
    const own = {
      discountReason: "Cortesía",
      specialRequest: "En taza",
      splitOf: "z",
      splitFrom: "B",
      loyalty: { points: 3 },
    };
    const options = { product: coffee(), menu: menu.menu, orderType: "dine_in" } as const;
    const changed = (now: StoredLine, choice: Partial<Choice>) =>
      withChoice(now, { opened, choice: { ...choiceOf(opened), ...choice } }, options);
    const before = { ...opened, ...own };
    expect(changed(before, {})).toEqual(before);
    expect(changed(before, { note: "Tibio", seat: 2 })).toEqual({ ...before, note: "Tibio", seat: 2 });
    // 2 x (80 + 2 x 15) - 10, plus 18 %.
    expect(changed(before, { quantity: 2 })).toEqual({ ...before, quantity: 2, taxAmount: 37.8, total: 247.8 });
    const plain = changed({ ...before, hold: true }, { modifiers: [], course: 1 });
    expect(plain).toMatchObject({ ...own, hold: true, total: 82.6 });
    expect(plain).not.toHaveProperty("modifiers");
    // Changes made elsewhere since the sheet was opened stay, and affect the total.
    expect(changed({ ...before, note: "Sin azúcar", voidedQuantity: 1 }, { quantity: 3 })).toMatchObject({
      note: "Sin azúcar",
      quantity: 3,
      voidedQuantity: 1,
      total: 247.8,
    });
    const written = { ...before, modifiers: ["Descafeinado", milk] };
    expect(changed(written, { modifiers: [] })).toMatchObject({ modifiers: ["Descafeinado"], total: 82.6 });
  });

  it("quick notes and typed ones are joined into one note, and split again [TOUCH-14]", () => {
    const quickNotes = ["Sin sal", "Bien cocido"];
    const note = writeNote({ quick: ["Sin sal"], free: " con hielo, poco " });
    expect(note).toBe("Sin sal, con hielo, poco");
    expect(readNote(note, quickNotes)).toEqual({ quick: ["Sin sal"], free: "con hielo, poco" });
    expect(writeNote(readNote("", quickNotes))).toBe("");
  });
});
