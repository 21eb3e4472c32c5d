import type { KitchenTicket } from "@comanda/protocol";
import { expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";
import { missingQuantity } from "./line-quantities.ts";
import { settleRemade, ticketsOfLines } from "./remake-tickets.ts";

const noStations = { stations: [], menu: null };

/** A line of three steaks, one prepared and voided, so that one more has to be sent. */
function steaks() {
  const restaurant = createRestaurant();
  restaurant.write({ A: [{ id: "steak", quantity: 2 }] });
  restaurant.send("A");
  restaurant.bump("A", "steak", 2);
  restaurant.write({ A: [{ id: "steak", quantity: 2, voidedQuantity: 1 }] });
  restaurant.write({ A: [{ id: "steak", quantity: 3, voidedQuantity: 1 }] });
  return { restaurant, snapshot: restaurant.orders()[0]!.snapshot };
}

it("a missing ticket is rebuilt from the lines of its check [CLIENT-207]", () => {
  const { restaurant, snapshot } = steaks();
  const [ticket] = restaurant.tickets();
  const [remade, ...others] = ticketsOfLines(snapshot, [], noStations);
  expect(others).toEqual([]);
  expect(remade).toMatchObject({ id: ticket?.id, isOver: true, sentAt: ticket?.sentAt });
  const share = { posReference: "A", lineId: "steak", quantity: 2, preparedQuantity: 2 };
  expect(remade?.lines).toMatchObject([{ kitchenLineId: ticket?.lines[0]?.kitchenLineId, shares: [share] }]);
  expect(ticketsOfLines(snapshot, restaurant.tickets(), noStations)).toEqual([]);
});

it("rebuilding covers only quantities that the stored tickets lack [CLIENT-207]", () => {
  const { restaurant } = steaks();
  const [first] = restaurant.tickets();
  restaurant.send("A");
  const { snapshot } = restaurant.orders()[0]!;
  const [earlier] = ticketsOfLines(
    snapshot,
    restaurant.tickets().filter(({ id }) => id !== first?.id),
    noStations,
  );
  expect(earlier?.id).not.toBe(first?.id);
  expect(earlier?.lines).toMatchObject([{ shares: [{ quantity: 2, preparedQuantity: 2 }] }]);
});

it("a rebuilt ticket keeps voided dishes void, even if their line needs more [KIT-73]", () => {
  const { restaurant, snapshot } = steaks();
  const [remade] = JSON.parse(JSON.stringify(restaurant.tickets())) as KitchenTicket[];
  for (const share of remade!.lines.flatMap(({ shares }) => shares)) delete share.voidedQuantity;
  const lineOf = () => snapshot.lines[0];
  settleRemade(remade!, lineOf, { wasOver: false, now: snapshot.updatedAt });
  expect(remade?.lines[0]?.shares).toMatchObject([{ quantity: 2, voidedQuantity: 1 }]);
  expect(missingQuantity(snapshot.lines[0]!)).toBe(1);
});

it("a rebuilt ticket names nobody if the check's customer name is empty [KIT-208]", () => {
  const { snapshot } = steaks();
  const nameOf = (customerName: string) =>
    ticketsOfLines({ ...snapshot, customerName }, [], noStations)[0]?.customerName;
  expect(nameOf("Ana")).toBe("Ana");
  expect(nameOf("")).toBeNull();
});
