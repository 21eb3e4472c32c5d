import type { CheckAddress, KitchenTicket, TicketLine } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { type DishPlace, mayStillCome, placesOf } from "../kitchen/dish-places.ts";
import { activeQuantity } from "../kitchen/shares.ts";
import { readsAlike } from "../kitchen/ticket-instructions.ts";
import type { SlipKind, StationSlip } from "./station-slip.ts";

/** A slip that a station needs after a change of a ticket; `to` is where its dishes go. */
export interface TicketSlip {
  kind: SlipKind;
  dishes: StationSlip["dishes"];
  from?: CheckAddress;
  to?: CheckAddress;
}

/** Returns the slips for a change of a ticket; `before` is null for a new one. */
export function slipsOf(before: KitchenTicket | null, after: KitchenTicket, now: number): TicketSlip[] {
  if (before === null) return [{ kind: "new", dishes: dishesOf(after.lines, activeQuantity) }];
  const was = new Map(before.lines.map((line) => [line.lineId, line]));
  const lessOf = (line: TicketLine) => subtract(activeOf(was.get(line.lineId)), activeQuantity(line));
  const reworded = mayBeMade(after, now) ? rewordedDishes(was, after) : [];
  return [
    ...byPlace(
      "void",
      [...dishesOf(after.lines, lessOf), ...reworded.map(({ former, quantity }) => ({ line: former, quantity }))],
      { more: before, less: after },
    ),
    ...byPlace("addition", [...dishesOf(after.lines, (line) => moreToMake(was.get(line.lineId), line)), ...reworded], {
      more: after,
      less: before,
    }),
    ...(mayBeMade(after, now) ? moves(was, before, after) : []),
  ];
}

/**
 * Groups dishes that are cancelled, or wanted again, into one slip per place. A dish belongs to the places of the checks that
 * hold more of it in the ticket `more` than in `less`.
 */
function byPlace(
  kind: "void" | "addition",
  dishes: TicketSlip["dishes"],
  { more, less }: { more: KitchenTicket; less: KitchenTicket },
): TicketSlip[] {
  const placed = dishes.flatMap(({ line, quantity }) => {
    let remaining = quantity;
    const oldPlaces = placesIn(less, line);
    const found = placesIn(more, line).flatMap(({ address: to, quantity: atPlace }) => {
      const rest = oldPlaces.find(({ address }) => address.posReference === to.posReference)?.quantity ?? 0;
      const here = Math.min(remaining, subtract(atPlace, rest));
      if (here <= 0) return [];
      remaining = subtract(remaining, here);
      return [{ line, quantity: here, to }];
    });
    return remaining > 0 ? [...found, { line, quantity: remaining, to: undefined }] : found;
  });
  return [...Map.groupBy(placed, ({ to }) => to && placeKey(to)).values()].map((samePlace) => {
    const to = samePlace[0]?.to;
    return { kind, dishes: samePlace, ...(to && { to }) };
  });
}

/** Returns where a line goes in another version of its ticket. */
function placesIn(ticket: KitchenTicket, { lineId }: TicketLine): DishPlace[] {
  const line = ticket.lines.find((each) => each.lineId === lineId);
  return line === undefined ? [] : placesOf(ticket, line);
}

/** Dishes of a ticket that is over were served, except those on paper. */
function mayBeMade(ticket: KitchenTicket, now: number): boolean {
  return !ticket.isOver || (ticket.onPaper === true && mayStillCome(ticket, now));
}

function dishesOf(lines: readonly TicketLine[], quantityOf: (line: TicketLine) => number): TicketSlip["dishes"] {
  return lines.map((line) => ({ line, quantity: quantityOf(line) })).filter(({ quantity }) => quantity > 0);
}

function activeOf(line: TicketLine | undefined): number {
  return line === undefined ? 0 : activeQuantity(line);
}

/** Returns the dishes still to be made of which a cook has to know something else now. */
function rewordedDishes(was: ReadonlyMap<string, TicketLine>, after: KitchenTicket) {
  return after.lines.flatMap((line) => {
    const former = was.get(line.lineId);
    if (former === undefined || readsAlike(former, line)) return [];
    const quantity = Math.min(toMakeOf(former), toMakeOf(line));
    return quantity > 0 ? [{ former, line, quantity }] : [];
  });
}

function toMakeOf(line: TicketLine): number {
  return subtract(activeQuantity(line), line.preparedQuantity);
}

/** Excludes dishes that were cancelled and then turned out to be ready. */
function moreToMake(was: TicketLine | undefined, line: TicketLine): number {
  if (was === undefined) return toMakeOf(line);
  return Math.min(subtract(activeQuantity(line), activeQuantity(was)), subtract(toMakeOf(line), toMakeOf(was)));
}

/** Returns the dishes whose place has changed, one slip per pair of old and new place. */
function moves(was: ReadonlyMap<string, TicketLine>, before: KitchenTicket, after: KitchenTicket): TicketSlip[] {
  const moved = after.lines.flatMap((line) => {
    const former = was.get(line.lineId);
    return former === undefined ? [] : movesOf(line, placesByKey(before, former), placesByKey(after, line));
  });
  return [...Map.groupBy(moved, ({ from, to }) => `${placeKey(from)} ${placeKey(to)}`).values()].flatMap((dishes) =>
    dishes.slice(0, 1).map(({ from, to }): TicketSlip => ({ kind: "move", from, to, dishes })),
  );
}

type PlacesByKey = ReadonlyMap<string, DishPlace[]>;

function placesByKey(ticket: KitchenTicket, line: TicketLine): PlacesByKey {
  return Map.groupBy(placesOf(ticket, line), ({ address }) => placeKey(address));
}

function movesOf(line: TicketLine, then: PlacesByKey, now: PlacesByKey) {
  const lost = [...then].find(([key, places]) => quantityOf(places) > quantityOf(now.get(key)));
  const from = lost?.[1][0]?.address;
  if (from === undefined) return [];
  return [...now].flatMap(([key, places]) => {
    const quantity = subtract(quantityOf(places), quantityOf(then.get(key)));
    const to = places[0]?.address;
    return quantity > 0 && to !== undefined ? [{ from, to, line, quantity }] : [];
  });
}

function quantityOf(places: readonly DishPlace[] = []): number {
  return sum(places.map(({ quantity }) => quantity));
}

/** A key for where food is carried. Another check on the same table has the same key. */
function placeKey({ orderType, tableId, ticketNumber, posReference }: CheckAddress): string {
  return orderType === "dine_in" && tableId !== null ? `${tableId}` : (ticketNumber ?? posReference);
}
