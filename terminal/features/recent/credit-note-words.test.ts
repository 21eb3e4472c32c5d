import type { SignedIn } from "@comanda/terminal";
import { expect, it } from "vitest";
import { creditNoteBar, creditNoteRefusal } from "./credit-note-words.ts";

function session(permissions: string[]): SignedIn {
  const user = { id: 6, name: "Marisol Peña", role: "manager" as const, permissions };
  return { terminalId: "caja", user, minClientVersion: null, offline: false };
}

it("[TOUCH-88] offers a credit note to the session's own user with the permission to refund", () => {
  const marisol = { token: "a", user: { id: "6", name: "Marisol Peña" } };
  const wendy = { token: "b", user: { id: 8, name: "Wendy Almonte" } };
  expect(creditNoteBar(session(["refund"]), marisol)).toBeNull();
  expect(creditNoteBar(session(["refund"]), null)).toBeNull();
  expect(creditNoteBar(session(["refund"]), wendy)).toBe("otherUser");
  expect(creditNoteBar(session([]), marisol)).toBe("permission");
  expect(creditNoteBar(null, marisol)).toBe("offline");
});

it("[TOUCH-88] has words for every refusal of a credit note", () => {
  expect(creditNoteRefusal("ALREADY_CREDITED")).toBe("ALREADY_CREDITED");
  expect(creditNoteRefusal("UPSTREAM_UNAVAILABLE")).toBe("unreachable");
  expect(creditNoteRefusal(null)).toBe("unreachable");
  expect(creditNoteRefusal("INTERNAL_ERROR")).toBe("other");
});
