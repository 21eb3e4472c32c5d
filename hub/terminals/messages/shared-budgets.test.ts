import { BYTES_PER_MUTATION } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { createMessageBudget } from "./message-budget.ts";
import { createSharedBudgets } from "./shared-budgets.ts";

const RATE = 50;

function open() {
  let now = 0;
  const shared = createSharedBudgets(() => now, RATE);
  const session = (userId: number, address: string) =>
    createMessageBudget(
      () => now,
      RATE,
      1,
      (type, size) => shared.admits({ userId, address }, type, size),
    );
  /** How many of `count` messages a session may send at once. */
  const send = (budget: ReturnType<typeof session>, count: number, size = 100) =>
    Array.from({ length: count }, () => budget.admits("KITCHEN_SEEN", size)).filter(Boolean).length;
  return { session, send, pass: (ms: number) => (now += ms) };
}

describe("shared budgets", () => {
  it("a user's budget is four times a session's, over all devices and addresses [TERM-161]", () => {
    const { session, send } = open();
    const devices = Array.from({ length: 6 }, (_, n) => session(1, `10.0.0.${n}`));
    expect(devices.map((device) => send(device, 500))).toEqual([500, 500, 500, 500, 0, 0]);
    expect(send(session(2, "10.0.0.1"), 500)).toBe(500);
  });

  it("an address's budget is sixteen times a session's, over all users [TERM-161]", () => {
    const { session, send } = open();
    const users = Array.from({ length: 18 }, (_, n) => session(n, "10.0.0.1"));
    expect(users.map((user) => send(user, 500))).toEqual([...Array<number>(16).fill(500), 0, 0]);
    expect(send(session(20, "10.0.0.2"), 500)).toBe(500);
  });

  it("shared budgets also limit the bytes per mutation, over all devices [TERM-175]", () => {
    const { session, send, pass } = open();
    const quarter = (10 * RATE * BYTES_PER_MUTATION) / 4;
    const devices = Array.from({ length: 6 }, (_, n) => session(1, `10.0.0.${n}`));
    expect(devices.map((device) => send(device, 10, quarter))).toEqual([4, 4, 4, 4, 0, 0]);
    expect(send(session(2, "10.0.0.1"), 10, quarter)).toBe(4);
    pass(10_000);
    expect(send(session(1, "10.0.0.9"), 10, quarter)).toBe(4);
    // A message larger than the whole budget is accepted after a quiet time.
    expect(send(session(3, "10.0.0.1"), 2, 9 * quarter)).toBe(1);
  });

  it("shared budgets do not count offers, which are limited by their number [TERM-175]", () => {
    const { session } = open();
    const budget = session(1, "10.0.0.1");
    const offers = Array.from({ length: 101 }, () => budget.admits("ORDER_OFFER", 1_000_000));
    expect(offers.filter(Boolean).length).toBe(100);
  });

  it("shared budgets count only the bytes of heartbeats, which the hub requests per session [TERM-161]", () => {
    const { session } = open();
    const devices = Array.from({ length: 100 }, (_, n) => session(1, `10.0.0.${n}`));
    expect(devices.filter((device) => !device.admits("HEARTBEAT", 100) || !device.admits("HEARTBEAT", 100))).toEqual(
      [],
    );
    const [first] = devices;
    expect(Array.from({ length: 60 }, () => first?.admits("HEARTBEAT", 100)).filter(Boolean)).toHaveLength(58);
    const large = (10 * RATE * BYTES_PER_MUTATION) / 2;
    expect(devices.slice(1, 20).filter((device) => device.admits("HEARTBEAT", large))).toHaveLength(7);
  });

  it("another session does not renew a shared budget, and a silent minute ends it [TERM-161]", () => {
    const { session, send, pass } = open();
    for (let n = 0; n < 4; n += 1) send(session(1, `10.0.0.${n}`), 500);
    expect(send(session(1, "10.0.0.9"), 10)).toBe(0);
    pass(60_001);
    expect(send(session(1, "10.0.0.9"), 10)).toBe(10);
  });
});
