import { ExternalLine, type StoredLine } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import texts from "./texts.json" with { type: "json" };

/** Shown by what belongs to them, or by their own name. */
const unnamed = ["id", "productId", "taxIds", "taxAmount"];
/** Times, tickets and states of the kitchen have an entry of their own in the history. */
const named = ["voided", "sentQuantity", "preparedQuantity"] satisfies (keyof typeof StoredLine.shape)[];

describe("the texts of the history of an order", () => {
  it("[UI-6] name each field of a line that people write", () => {
    const written = Object.keys(ExternalLine.shape).filter((field) => !unnamed.includes(field));
    expect(Object.keys(texts.field)).toEqual(expect.arrayContaining([...written, ...named]));
  });
});
