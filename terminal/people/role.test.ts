import type { SignedIn } from "@comanda/terminal";
import { expect, it } from "vitest";
import { roleOf } from "./role.ts";

const carlos = { id: 7, name: "Carlos Jiménez", role: "cashier" as const };
const wendy = { id: 8, name: "Wendy Almonte", role: "waiter" as const };
const signedIn = { terminalId: "caja", user: { ...carlos, permissions: [] }, minClientVersion: null, offline: false };

it("the role is that of the acting person, by the session or by the PIN [TOUCH-80]", () => {
  const session: SignedIn = signedIn;
  expect(roleOf({ token: "a", user: { id: 7, name: "Carlos" } }, session, [])).toBe("cashier");
  expect(roleOf({ token: "b", user: wendy }, session, [wendy])).toBe("waiter");
  expect(roleOf(null, session, [wendy])).toBe("cashier");
  expect(roleOf({ token: "b", user: { id: 99, name: "?" } }, session, [wendy])).toBeNull();
  expect(roleOf({ token: "b", user: wendy }, null, [wendy])).toBe("waiter");
});
