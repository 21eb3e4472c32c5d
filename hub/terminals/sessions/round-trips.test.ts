import { expect, it } from "vitest";
import { createRoundTrips } from "./round-trips.ts";

function started() {
  let pings = 0;
  const trips = createRoundTrips({ ping: () => void pings++ });
  return { trips, pings: () => pings };
}

it("the time of a late answer is measured from the ping that it answers [OP-562]", () => {
  const { trips, pings } = started();
  trips.ping(0);
  trips.ping(10_500);
  trips.ponged(12_000);
  expect(trips.pingMs()).toBe(12_000);
  expect(pings()).toBe(1);
});

it("an unanswered ping shows how long it has waited once that exceeds the last round trip [OP-562]", () => {
  const { trips } = started();
  trips.ping(0);
  trips.ponged(40);
  trips.ping(10_000);
  expect(trips.pingMs()).toBe(40);
  trips.ping(10_500);
  expect(trips.pingMs()).toBe(500);
  trips.ping(19_000);
  expect(trips.pingMs()).toBe(9_000);
  trips.ponged(19_030);
  expect(trips.pingMs()).toBe(9_030);
});

it("an answer without a ping does not count, and the next ping follows after ten seconds [OP-562]", () => {
  const { trips, pings } = started();
  trips.ponged(5);
  expect(trips.pingMs()).toBeNull();
  trips.ping(100);
  trips.ponged(150);
  trips.ponged(9_000);
  trips.ping(9_000);
  expect([trips.pingMs(), pings()]).toEqual([50, 1]);
  trips.ping(10_100);
  expect(pings()).toBe(2);
});
