import { expect, it } from "vitest";
import { createRoundTrips } from "./round-trips.ts";

function started() {
  let pings = 0;
  const trips = createRoundTrips({ ping: () => void pings++ });
  return { trips, pings: () => pings };
}

it("tells how long a late answer took, from the ping that it answers [OP-562]", () => {
  const { trips, pings } = started();
  trips.ping(0);
  trips.ping(10_500);
  trips.ponged(12_000);
  expect(trips.pingMs()).toBe(12_000);
  expect(pings()).toBe(1);
});

it("says of a ping without an answer how long it has waited, once that is longer than the last one took [OP-562]", () => {
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

it("counts no answer without a ping, and measures again ten seconds after the last ping [OP-562]", () => {
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
