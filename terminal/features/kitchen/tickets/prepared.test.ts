import { expect, it } from "vitest";
import { buildLine, buildTicket } from "../../../test/build-ticket.ts";
import { broughtBack } from "./prepared.ts";

it("a recall restores the ticket before this device's last action, or all of it if others finished it [TOUCH-101]", () => {
  const ready = (name: string) => buildLine(name, { preparedQuantity: 1, state: "ready" });
  const ticket = buildTicket("1", { isOver: true, lines: [ready("Mofongo"), ready("Flan")] });
  const all = new Map(Object.entries({ Mofongo: 0, Flan: 0 }));
  const own = new Map([["Flan", 0]]);
  expect(broughtBack(ticket, own)).toEqual(own);
  expect(broughtBack(ticket, undefined)).toEqual(all);
  // The last act on this device was to mark it as not ready.
  expect(broughtBack(ticket, new Map([["Flan", 1]]))).toEqual(all);
});
