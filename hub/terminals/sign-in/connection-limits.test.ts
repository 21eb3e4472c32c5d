import { expect, it } from "vitest";
import { AuthRefused } from "./auth-refused.ts";
import { requirePlace } from "./connection-limits.ts";

const others = (count: number, userId: number, address: string) =>
  Array.from({ length: count }, () => ({
    active: { identity: { userId, userName: "Ana", role: "waiter" as const, permissions: [], login: null } },
    session: { address },
  }));

it("a user may be signed in at 120 terminals, and an address at 360 [TERM-162]", () => {
  const ana = { userId: 1, address: "10.0.0.1" };
  expect(() => requirePlace(others(119, 1, "10.0.0.2"), ana)).not.toThrow();
  expect(() => requirePlace(others(120, 1, "10.0.0.2"), ana)).toThrow(AuthRefused);
  expect(() => requirePlace(others(120, 2, "10.0.0.2"), ana)).not.toThrow();
  const terminals = [2, 3, 4].flatMap((userId) => others(120, userId, "10.0.0.1"));
  expect(() => requirePlace(terminals, ana)).toThrow("360 terminals of this address");
  expect(() => requirePlace(terminals.slice(1), ana)).not.toThrow();
});
