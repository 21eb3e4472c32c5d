import type { KitchenTicket } from "@comanda/protocol";
import { expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";

const steaks = (voidedQuantity: number) => ({ A: [{ id: "steak", quantity: 2, voidedQuantity }] });

/** A check with two steaks that were sent. */
function sent() {
  const restaurant = createRestaurant();
  restaurant.write(steaks(0));
  restaurant.send("A");
  const ticket = (): KitchenTicket => {
    const [first] = restaurant.tickets();
    if (first === undefined) throw new Error("nothing was sent");
    return first;
  };
  return { restaurant, ticket, line: () => ticket().lines[0] };
}

it("a cancellation of a seen dish has to be seen before its ticket is over [KIT-4]", () => {
  const { restaurant, ticket, line } = sent();
  restaurant.markSeen(ticket().id);
  expect(line()).toMatchObject({ state: "seen", isSeen: true });
  expect(restaurant.write(steaks(1))).toBeNull();
  expect(line()).toMatchObject({ state: "unseen", isSeen: false, cancelledQuantity: 1 });
  expect(restaurant.write(steaks(2))).toBeNull();
  expect(line()).toMatchObject({ state: "cancelled" });
  expect(ticket().isOver).toBe(false);
  restaurant.markSeen(ticket().id);
  expect(ticket().isOver).toBe(true);
});

it("a served dish has to be made again once less of it is prepared [KIT-4]", () => {
  const { restaurant, ticket, line } = sent();
  restaurant.bump("A", "steak", 2);
  restaurant.serve(ticket().id);
  expect(line()).toMatchObject({ state: "served", isServed: true });
  restaurant.bump("A", "steak", 1);
  expect(line()).toMatchObject({ state: "started", isServed: false });
  expect(line()?.readyAt).toBeUndefined();
  expect(ticket()).toMatchObject({ isOver: false, readyAt: null });
});

it("a served dish of which half is voided stays served [KIT-4]", () => {
  const { restaurant, ticket, line } = sent();
  restaurant.bump("A", "steak", 2);
  restaurant.serve(ticket().id);
  expect(restaurant.write(steaks(1))).toBeNull();
  expect(line()).toMatchObject({ state: "served", isServed: true });
});
