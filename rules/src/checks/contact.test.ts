import type { TerminalSnapshot } from "@comanda/protocol";
import { expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";
import { contactOf } from "./contact.ts";

const lines = [{ id: "a", quantity: 1, productId: 1, unitPrice: 200 }];

it("guest contact texts name how guests are reached and what they were promised, and nothing else [RULE-31]", () => {
  const all = { phone: "809-555-0101", address: "C/ Duarte 5", promisedAt: "2026-11-25T20:40:00Z" };
  expect(contactOf({ pluginData: { contact: { ...all, more: 1 } } })).toEqual(all);
  expect(contactOf({ pluginData: { contact: { phone: 5, address: " ", promisedAt: "soon" } } })).toEqual({});
  expect(contactOf({})).toEqual({});
});

it("the promised time is on the kitchen's tickets and follows the check [RULE-31]", () => {
  const restaurant = createRestaurant();
  const write = (snapshot: TerminalSnapshot): unknown =>
    restaurant.change({ type: "ORDER_UPSERT", posReference: "T", baseVersion: restaurant.versionOf("T"), snapshot });
  const contact = { phone: "809-555-0101", promisedAt: "2026-11-25T20:40:00Z" };
  write({ orderType: "takeout", lines, pluginData: { contact } });
  restaurant.change({ type: "ORDER_SEND", posReference: "T" });
  const promised = () => restaurant.state.ticketsOf("T").map(({ ticket }) => ticket.promisedAt);
  expect(promised()).toEqual(["2026-11-25T20:40:00Z"]);
  write({ pluginData: { contact: { ...contact, promisedAt: "2026-11-25T21:00:00Z" } } });
  expect(promised()).toEqual(["2026-11-25T21:00:00Z"]);
  write({ pluginData: { contact: {} } });
  expect(promised()).toEqual([undefined]);
});
