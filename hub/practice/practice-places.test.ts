import { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { createPracticePlaces } from "./practice-places.ts";

const socket = (): Duplex => new Duplex({ read() {}, write: (_, __, done) => done() });

function open() {
  let now = 0;
  const places = createPracticePlaces(() => now);
  const come = (address: string): Duplex | null => {
    if (!places.makePlace(address)) return null;
    const one = socket();
    places.hold(one, address);
    return one;
  };
  return { places, come, pass: (ms: number) => (now += ms) };
}

it("newcomers of one address have 8 places, of which the oldest goes to another [TOUCH-270]", () => {
  const { come } = open();
  const mine = Array.from({ length: 9 }, () => come("10.0.0.1"));
  expect(mine.map((each) => each?.destroyed)).toEqual([true, ...Array<boolean>(8).fill(false)]);
  expect(come("10.0.0.2")?.destroyed).toBe(false);
  expect(mine[1]?.destroyed).toBe(false);
});

it("newcomers of all addresses have 64, and take none of those who are signed in [TOUCH-270]", async () => {
  const { come, places, pass } = open();
  const devices = Array.from({ length: 8 }, (_, n) => come(`10.0.0.${n}`));
  pass(11_001);
  const strangers = Array.from({ length: 65 }, (_, n) => come(`10.0.1.${n}`));
  expect(strangers[0]?.destroyed).toBe(true);
  expect([...devices, ...strangers.slice(1)].some((each) => each?.destroyed !== false)).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(places.count()).toBe(72);
});

it("there are 64 for those who are signed in [TOUCH-270]", () => {
  const { come, pass } = open();
  for (let n = 0; n < 64; n += 1) come(`10.0.0.${n}`);
  pass(11_001);
  expect(come("10.0.1.1")).toBeNull();
});
