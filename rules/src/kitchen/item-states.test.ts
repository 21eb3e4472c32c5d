import { ItemState, type StoredLine } from "@comanda/protocol";
import { expect, it } from "vitest";
import { consumeStock } from "./item-states.ts";

const HOUR_MS = 3_600_000;

it("a sold-out dish is refused even if the clock was set back since it ran out [KIT-229]", () => {
  const now = Date.parse("2026-11-21T20:00:00Z");
  const updatedAt = new Date(now + HOUR_MS).toISOString();
  const itemState = ItemState.parse({ productId: 7, state: "out", left: null, until: null, updatedAt });
  const line = { id: "a", productId: 7, name: "Mofongo", quantity: 1 } as StoredLine;
  const sent = (queuedAt: number) =>
    consumeStock([{ line, quantity: 1 }], () => ({ itemState, since: now + HOUR_MS }), { now, queuedAt });
  expect(sent(now - 100)).toMatchObject({ refusal: { code: "ITEM_OUT" } });
  expect(sent(now - HOUR_MS)).toMatchObject({ soldOut: new Set(["a"]) });
});
