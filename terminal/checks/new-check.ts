import type { OrderType } from "@comanda/protocol";
import { totalsOfLines, type Mutation, type NewOrder, type OrderLine, type Terminal } from "@comanda/terminal";
import { randomText } from "../lib/device/random-text.ts";

/** A check that does not exist yet: its first line opens it. */
export interface CheckDraft {
  orderType: OrderType;
  tableId: number | null;
  guestCount?: number;
  customerName?: string;
  pluginData?: NewOrder["pluginData"];
}

/** Returns a reference such as `261122-K7QX2M`: the day and a random part, unique without asking the hub. */
export function newReference(now: number): string {
  return `${new Date(now).toISOString().slice(2, 10).replaceAll("-", "")}-${randomText(6)}`;
}

/** Opens a check from the draft, with the given lines or none yet. Throws TerminalRefusal. */
export function openCheck(
  terminal: Terminal,
  draft: CheckDraft,
  lines: readonly OrderLine[],
): Mutation & { posReference: string } {
  const posReference = newReference(terminal.now());
  const staffName = terminal.actor()?.user.name ?? null;
  const content = { staffName, guestCount: 1, ...draft, lines: [...lines], totals: totalsOfLines(lines) };
  return { ...terminal.openOrder({ ...content, posReference }), posReference };
}
