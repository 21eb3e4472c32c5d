import { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { createPracticePlaces } from "./practice-places.ts";

const socket = (): Duplex => new Duplex({ read() {}, write: (_, __, done) => done() });

function open() {
  let now = 0;
  const places = createPracticePlaces(() => now);
  const connect = (address: string): Duplex | null => {
    if (!places.makePlace(address)) return null;
    const stream = socket();
    places.hold(stream, address);
    return stream;
  };
  return { places, connect, pass: (ms: number) => (now += ms) };
}

it("newcomers of one address have 8 places; one more replaces the oldest [TOUCH-270]", () => {
  const { connect } = open();
  const ownSockets = Array.from({ length: 9 }, () => connect("10.0.0.1"));
  expect(ownSockets.map((each) => each?.destroyed)).toEqual([true, ...Array<boolean>(8).fill(false)]);
  expect(connect("10.0.0.2")?.destroyed).toBe(false);
  expect(ownSockets[1]?.destroyed).toBe(false);
});

it("newcomers of all addresses have 64 places, and take none of signed-in devices [TOUCH-270]", async () => {
  const { connect, places, pass } = open();
  const devices = Array.from({ length: 8 }, (_, n) => connect(`10.0.0.${n}`));
  pass(11_001);
  const others = Array.from({ length: 65 }, (_, n) => connect(`10.0.1.${n}`));
  expect(others[0]?.destroyed).toBe(true);
  expect([...devices, ...others.slice(1)].some((each) => each?.destroyed !== false)).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(places.count()).toBe(72);
});

it("signed-in devices have 64 places [TOUCH-270]", () => {
  const { connect, pass } = open();
  for (let n = 0; n < 64; n += 1) connect(`10.0.0.${n}`);
  pass(11_001);
  expect(connect("10.0.1.1")).toBeNull();
});
