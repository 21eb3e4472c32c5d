import type { CheckAddress, KitchenTicket, TicketLine } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import { addressOfShare, type DishPlace, mayBeMade, placesOf, withOtherNotes } from "../kitchen/dish-places.ts";
import { activeQuantity, remainingQuantity } from "../kitchen/shares.ts";
import { wordsOf } from "../kitchen/ticket-instructions.ts";
import type { SlipKind, StationSlip } from "./station-slip.ts";

/** A slip that a station needs after a change of a ticket; `to` is where its dishes go. */
export interface TicketSlip {
  kind: SlipKind;
  dishes: StationSlip["dishes"];
  from?: CheckAddress;
  to?: CheckAddress;
}

/** Returns the slips for a change of a ticket; `before` is null for one that is printed for the first time. */
export function slipsOf(before: KitchenTicket | null, after: KitchenTicket, now: number): TicketSlip[] {
  if (before === null) return firstSlips(after);
  // A ticket never loses a line, nor changes their order.
  const changes = after.lines.map((line, at) => changesOf(before.lines[at], line, { before, after, now }));
  return [
    ...byPlaces(
      "void",
      changes.flatMap((change) => change.voided),
    ),
    ...byPlaces(
      "addition",
      changes.flatMap((change) => change.added),
    ),
    ...byPlaces(
      "move",
      changes.flatMap((change) => change.moved),
    ),
    ...(mayBeMade(after, now) ? otherNotes(before, after) : []),
  ];
}

/** Some dishes of a ticket that waited for a printer may be for another table by now. */
function firstSlips(ticket: KitchenTicket): TicketSlip[] {
  const address = addressOfShare(ticket, ticket);
  const dishes = ticket.lines
    .map((line) => ({ line, quantity: activeQuantity(line) }))
    .filter(({ quantity }) => quantity > 0);
  const moved = dishes.flatMap(({ line, quantity }) =>
    movesOf([{ address, quantity }], placesOf(ticket, line)).map((each) => ({ line, ...each })),
  );
  return [{ kind: "new", dishes }, ...byPlaces("move", moved)];
}

type Dish = TicketSlip["dishes"][number] & Pick<TicketSlip, "from" | "to">;

/** One slip for each check whose note has changed; it names no dishes, because the note is for all of them. */
function otherNotes(before: KitchenTicket, after: KitchenTicket): TicketSlip[] {
  const checks = new Map(withOtherNotes(before, after).map(({ to }) => [to.posReference, to]));
  return [...checks.values()].map((to) => ({ kind: "note", dishes: [], to }));
}

/**
 * Returns what a station has to read of a changed line. Each quantity is on one slip: what is cancelled where it was, what is
 * wanted again where it is now, and as moved what remains of both. Other words are a void and an addition.
 */
function changesOf(
  former: TicketLine | undefined,
  line: TicketLine,
  { before, after, now }: { before: KitchenTicket; after: KitchenTicket; now: number },
): Record<"voided" | "added" | "moved", Dish[]> {
  if (former === undefined) {
    const { taken } = take(remainingQuantity(line), placesOf(after, line), []);
    return { voided: [], added: taken.map((each) => ({ line, ...each })), moved: [] };
  }
  const [then, today] = [placesOf(before, former), placesOf(after, line)];
  const followed = mayBeMade(after, now);
  const reworded =
    followed && wordsOf(former) !== wordsOf(line) ? Math.min(activeQuantity(former), remainingQuantity(line)) : 0;
  const voided = take(sum([moreToMake(line, former), reworded]), then, today);
  const added = take(sum([moreToMake(former, line), reworded]), today, then);
  return {
    voided: voided.taken.map((each) => ({ line: former, ...each })),
    added: added.taken.map((each) => ({ line, ...each })),
    moved: followed ? movesOf(voided.rest, added.rest).map((each) => ({ line, ...each })) : [],
  };
}

/** Takes a quantity from places, first from the checks that hold more of it than in the other version of the ticket. */
function take(quantity: number, places: readonly DishPlace[], others: readonly DishPlace[]) {
  let remaining = quantity;
  const rest = places.map(({ address, quantity: held }) => ({ address, quantity: held }));
  const taken = new Map<CheckAddress, number>();
  const excessOf = ({ address, quantity: held }: (typeof rest)[number]): number => {
    const other = others.find((each) => each.address.posReference === address.posReference);
    return subtract(held, other?.quantity ?? 0);
  };
  for (const limitOf of [excessOf, ({ quantity: held }: (typeof rest)[number]) => held]) {
    for (const place of rest) {
      const here = Math.min(remaining, limitOf(place));
      if (here <= 0) continue;
      remaining = subtract(remaining, here);
      place.quantity = subtract(place.quantity, here);
      taken.set(place.address, sum([taken.get(place.address) ?? 0, here]));
    }
  }
  return { taken: [...taken].map(([to, amount]) => ({ to, quantity: amount })), rest };
}

/** Groups dishes into one slip for each place, or pair of places. */
function byPlaces(kind: SlipKind, dishes: readonly Dish[]): TicketSlip[] {
  const keyOf = ({ from, to }: Dish): string => [from, to].map((place) => place && placeKey(place)).join(" ");
  return [
    ...Map.groupBy(
      dishes.filter(({ quantity }) => quantity > 0),
      keyOf,
    ).values(),
  ].flatMap((same) =>
    same
      .slice(0, 1)
      .map(({ from, to }): TicketSlip => ({ kind, dishes: same, ...(from && { from }), ...(to && { to }) })),
  );
}

/**
 * Returns how much less is to be made of `one` than of `other`. Excludes what only the kitchen's marks changed: dishes that were
 * cancelled and then turned out to be ready, or not. What a line was sent only changes when a part of it gets a line of its own.
 */
function moreToMake(one: TicketLine, other: TicketLine): number {
  const less = Math.max(
    subtract(remainingQuantity(other), remainingQuantity(one)),
    subtract(other.quantity, one.quantity),
  );
  return Math.max(0, Math.min(subtract(activeQuantity(other), activeQuantity(one)), less));
}

/** Returns what went from one place to another; another check on the same table is the same place. */
function movesOf(then: readonly HeldAt[], today: readonly HeldAt[]) {
  const keys = (places: readonly HeldAt[]) => Map.groupBy(places, ({ address }) => placeKey(address));
  const [was, is] = [keys(then), keys(today)];
  const arrived = [...is].map(([key, places]) => ({
    to: places[0]?.address,
    quantity: subtract(quantityOf(places), quantityOf(was.get(key))),
  }));
  return [...was].flatMap(([key, places]) => {
    let left = subtract(quantityOf(places), quantityOf(is.get(key)));
    return arrived.flatMap((place) => {
      const quantity = Math.min(left, place.quantity);
      const [from, { to }] = [places[0]?.address, place];
      if (quantity <= 0 || from === undefined || to === undefined) return [];
      left = subtract(left, quantity);
      place.quantity = subtract(place.quantity, quantity);
      return [{ from, to, quantity }];
    });
  });
}

type HeldAt = Pick<DishPlace, "address" | "quantity">;

function quantityOf(places: readonly HeldAt[] = []): number {
  return sum(places.map(({ quantity }) => quantity));
}

/** A key for where food is carried. Another check on the same table has the same key. */
function placeKey({ orderType, tableId, ticketNumber, posReference }: CheckAddress): string {
  return orderType === "dine_in" && tableId !== null ? `${tableId}` : (ticketNumber ?? posReference);
}
