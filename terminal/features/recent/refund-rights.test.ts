import type { SignedIn } from "@comanda/terminal";
import { expect, it } from "vitest";
import { isAboutRefund, refundRefusal, refundRight } from "./refund-rights.ts";

function session(permissions: string[]): SignedIn {
  const user = { id: 6, name: "Marisol Peña", role: "manager" as const, permissions };
  return { terminalId: "caja", user, minClientVersion: null, offline: false };
}

const marisol = { token: "a", user: { id: "6", name: "Marisol Peña" } };
const wendy = { token: "b", user: { id: 8, name: "Wendy Almonte" } };
const vouches = { lines: true, onBehalfOf: true };

it("a refund needs the session user's permission, or a second person's PIN [TOUCH-88]", () => {
  expect(refundRight(session(["refund"]), marisol, vouches)).toBe("own");
  expect(refundRight(session(["refund"]), null, undefined)).toBe("own");
  expect(refundRight(session([]), marisol, vouches)).toBe("ask");
  expect(refundRight(session(["refund"]), wendy, vouches)).toBe("try");
  expect(refundRight(null, marisol, vouches)).toBe("offline");
});

it("a refund is limited to the signed-in user where the back-office accepts no other [TOUCH-88]", () => {
  expect(refundRight(session(["refund"]), wendy, undefined)).toBe("otherUser");
  expect(refundRight(session([]), marisol, { lines: true, onBehalfOf: false })).toBe("permission");
});

it("every refusal of a refund has a text [TOUCH-343]", () => {
  expect(refundRefusal("NOT_FOUND")).toBe("NOT_FOUND");
  expect(refundRefusal("ALREADY_CREDITED")).toBeNull();
});

it("a repeat refused for its person, the line or the hub says nothing about the refund [TOUCH-342]", () => {
  const codes = ["UNAUTHENTICATED", "FORBIDDEN", "RATE_LIMITED", "UPSTREAM_UNAVAILABLE", "STORAGE_FULL"];
  expect(codes.filter(isAboutRefund)).toEqual([]);
  expect(["NCF_EXHAUSTED", "ORDER_HAS_NO_NCF", "NO_ACTIVE_SESSION", "VALIDATION_ERROR"].every(isAboutRefund)).toBe(
    true,
  );
});
