import type { KitchenTicket, TerminalLine, TicketLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { mayBeMade } from "./dish-places.ts";
import type { CheckLines } from "./find-dishes.ts";
import { heldOf, lineKey, remainingQuantity, shareOn } from "./shares.ts";
import { instructionsOf, seatingOf, wordsOf } from "./ticket-instructions.ts";

/** A share that is to be made in other words than its ticket line has; `dish` is the ticket line in these words. */
interface Reworded {
  share: TicketShare;
  dish: TicketLine;
}

/** The lines of a check, with the words that its dishes are to have. */
export type WrittenLines = Pick<CheckLines, "posReference" | "requested">;

/**
 * Puts the instructions of written lines on their tickets, as far as their dishes are still to be made. Other instructions have
 * to be seen again. Where only a part of a ticket line gets them, it becomes a line of its own: what is ready, and what other
 * lines share, keeps its words. Expects settled tickets; changes them in place.
 */
export function rewordTickets(tickets: readonly KitchenTicket[], checks: readonly WrittenLines[], now: number): void {
  const written = new Map(
    checks.flatMap(({ posReference, requested }) =>
      requested.map((line) => [lineKey({ posReference, lineId: line.id }), line]),
    ),
  );
  for (const ticket of tickets) {
    for (const line of ticket.lines) rewordLine(ticket, line, (share) => written.get(lineKey(share)), now);
  }
}

function rewordLine(
  ticket: KitchenTicket,
  line: TicketLine,
  writtenLineOf: (share: TicketShare) => TerminalLine | undefined,
  now: number,
): void {
  const held = line.shares.filter((share) => share.takenBack !== true && heldOf(share) > 0);
  const written = held.flatMap((share): Reworded[] => {
    const words = remainingQuantity(share) > 0 ? writtenLineOf(share) : undefined;
    if (words === undefined) return [];
    const former = { ...line, modifiers: undefined, allergy: undefined };
    return [{ share, dish: { ...former, ...seatingOf(words), ...instructionsOf(words) } }];
  });
  const others = written.filter(({ dish }) => wordsOf(dish) !== wordsOf(line));
  if (others.length === 0) {
    // A seat or a course is that of the whole line.
    if (held.length === 1 && written[0] !== undefined) Object.assign(line, written[0].dish);
    return;
  }
  let keepsWords = line.preparedQuantity > 0 || others.length < held.length;
  for (const [key, [first, ...more]] of Map.groupBy(others, ({ dish }) => dishKey(dish))) {
    if (first === undefined) continue;
    if (!keepsWords) Object.assign(line, first.dish, { isSeen: false });
    else if (mayBeMade(ticket, now)) {
      const target =
        ticket.lines.find((each) => each !== line && each.preparedQuantity === 0 && dishKey(each) === key) ??
        addLine(ticket, first);
      target.isSeen = false;
      for (const { share } of [first, ...more]) moveLeft(share, target);
    }
    keepsWords = true;
  }
  line.shares = line.shares.filter(({ quantity }) => quantity > 0);
}

/** Returns a text that is the same for parts of a dish that can be on one line of the ticket. */
export function dishKey(line: TicketLine): string {
  return JSON.stringify([line.kitchenLineId, seatingOf(line), wordsOf(line)]);
}

/** Adds a line without shares, named after the check line of its first part. */
function addLine({ lines }: KitchenTicket, { share, dish }: Reworded): TicketLine {
  const { kitchenItemStatus: _word, readyAt: _readyAt, ...rest } = dish;
  const line: TicketLine = { ...rest, lineId: freeLineId(lines, share.lineId), isServed: false, shares: [] };
  lines.push(line);
  return line;
}

/** Returns an id for a further line of a ticket: that of its check line, with a number if the ticket has one of that id. */
export function freeLineId(lines: readonly TicketLine[], lineId: string): string {
  let free = lineId;
  for (let part = 2; lines.some((line) => line.lineId === free); part += 1) free = `${lineId} ${part}`;
  return free;
}

/** Moves what is still to be made of a share to another line of its ticket. */
function moveLeft(share: TicketShare, target: TicketLine): void {
  const quantity = remainingQuantity(share);
  const { posReference, lineId } = share;
  const other = shareOn(target, { posReference, lineId });
  other.quantity = sum([other.quantity, quantity]);
  share.quantity = subtract(share.quantity, quantity);
}
