import type { KitchenTicket, TicketLine } from "@comanda/protocol";
import { leftOf } from "../tickets/ticket-facts.ts";
import type { KitchenActs } from "../tickets/use-kitchen-acts.ts";

/** What a key of a bump bar does. */
export type BumpBarCommand =
  | { name: "select"; place: number }
  | { name: "bump" | "seen" | "recall" | "previous" | "next" | "lineUp" | "lineDown" | "clear" };

/** A bump bar is a keyboard; for one with other keys change them here. */
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

/** The command of a key; null for other keys, and while somebody types or a sheet is open. */
export function commandOf(event: KeyboardEvent): BumpBarCommand | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const { target } = event;
  if (target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null) return null;
  // Whatever has the focus: a tap on a sheet's text leaves it with the page.
  if (document.querySelector("dialog[open]") !== null) return null;
  return keys[event.key] ?? null;
}

/** The line above or below another on a ticket, by their ids; null is the whole ticket, which stands above its lines. */
export function lineBeside(lines: readonly TicketLine[], lineId: string | null, step: -1 | 1): string | null {
  const place = lines.findIndex((line) => line.lineId === lineId);
  return lines[Math.min(place + step, lines.length - 1)]?.lineId ?? null;
}

/** Makes ready what the bar stands on; nothing where that line has left the ticket, whose other dishes nobody meant. */
export function bumpAt(
  ticket: KitchenTicket,
  lineId: string | null,
  acts: Pick<KitchenActs, "bump" | "bumpAll">,
): void {
  if (lineId === null) return acts.bumpAll(ticket);
  const line = ticket.lines.find((each) => each.lineId === lineId);
  if (line !== undefined && leftOf(line) > 0) acts.bump(ticket, line);
}
