import type { KitchenTicket, TicketLine } from "@comanda/protocol";
import { remainingQuantity } from "@comanda/rules";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";

/** The command of a bump bar key. */
export type BumpBarCommand =
  | { name: "select"; place: number }
  | { name: "bump" | "seen" | "recall" | "previous" | "next" | "lineUp" | "lineDown" | "clear" };

/** A bump bar is a keyboard. One with other keys needs its keys here. */
const keys: Readonly<Record<string, BumpBarCommand>> = {
  ...Object.fromEntries(
    Array.from("1234567890", (digit, place): [string, BumpBarCommand] => [digit, { name: "select", place }]),
  ),
  Enter: { name: "bump" },
  " ": { name: "seen" },
  Backspace: { name: "recall" },
  ArrowLeft: { name: "previous" },
  ArrowRight: { name: "next" },
  ArrowUp: { name: "lineUp" },
  ArrowDown: { name: "lineDown" },
  Escape: { name: "clear" },
};

/** Returns the command of a key; null for other keys, while the user types, and while a sheet is open. */
export function commandOf(event: KeyboardEvent): BumpBarCommand | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const { target } = event;
  if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null) return null;
  // Checks the sheet, not the focus: after a tap on a sheet's text the focus is on the page.
  if (document.querySelector("dialog[open]") !== null) return null;
  return keys[event.key] ?? null;
}

/** Returns the id of the line above or below another; null stands for the whole ticket, above its lines. */
export function lineBeside(lines: readonly TicketLine[], lineId: string | null, step: -1 | 1): string | null {
  const place = lines.findIndex((line) => line.lineId === lineId);
  return lines[Math.min(place + step, lines.length - 1)]?.lineId ?? null;
}

/** Marks the bar's line or ticket as ready. Does nothing if the line has left the ticket: its other dishes were not meant. */
export function bumpAt(
  ticket: KitchenTicket,
  lineId: string | null,
  acts: Pick<KitchenActs, "bump" | "bumpAll">,
): void {
  if (lineId === null) return acts.bumpAll(ticket);
  const line = ticket.lines.find((each) => each.lineId === lineId);
  if (line !== undefined && remainingQuantity(line) > 0) acts.bump(ticket, line);
}
