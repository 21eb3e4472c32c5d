import { expect, it } from "vitest";
import { buildLine, buildTicket } from "../../../test/build-ticket.ts";
import { sumDishes } from "./all-day.ts";

it("a dish of the sums is found on newer tickets, and not on those that have made it [TOUCH-107]", () => {
  const one = buildTicket("1");
  const [mofongo] = sumDishes([one]);
  const other = buildTicket("2", { lines: [buildLine("Sancocho")] });
  const later = buildTicket("3", { lines: [buildLine("Sancocho"), buildLine("Mofongo")] });
  const made = { ...one, lines: [buildLine("Mofongo", { preparedQuantity: 1, state: "ready" })] };
  expect([one, other, later, made].map((ticket) => mofongo?.isOn(ticket))).toEqual([true, false, true, false]);
});

it("quantities by weight are summed in decimals [TOUCH-107]", () => {
  const tickets = [0.1, 0.2].map((quantity) => buildTicket("1", { lines: [buildLine("Chivo", { quantity })] }));
  expect(sumDishes(tickets)).toMatchObject([{ quantity: 0.3 }]);
});
