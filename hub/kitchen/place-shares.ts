import type { KitchenTicket, TerminalLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "@comanda/rules";
import { HubError } from "../platform/errors.ts";
import type { CheckLines } from "./find-dishes.ts";
import { surplusOf, voidedQuantityOf } from "./line-quantities.ts";
import { lineKey, partsOf, type Part } from "./ticket-rules.ts";

/** What a writer may do with what the kitchen has. */
export interface KitchenRights {
  /** Void what was sent: a cashier or manager. */
  mayVoid: boolean;
  /** Whether a share can still be taken back by the writer. */
  mayTakeBack: (part: Part) => boolean;
}

/** A part of a share on its way to another line. */
interface Piece {
  part: Part;
  quantity: number;
  preparedQuantity: number;
}

/** A line that holds, or wants to hold, a dish. */
interface Holder {
  posReference: string;
  line: TerminalLine;
  /** What it has of the dish. */
  quantity: number;
}

/**
 * Gives each requested line its shares of what the kitchen has of its dish: a line keeps its own, as far as it asks for
 * them, and what is left over goes to lines that ask for more. What no line asks for is taken back, or stays where it was and
 * is refused. Changes `tickets` in place; answers by check why it is refused, so that the caller can name the check.
 */
export function placeShares(
  tickets: readonly KitchenTicket[],
  checks: readonly CheckLines[],
  dishes: readonly ReadonlyMap<string, string>[],
  rights: KitchenRights,
): Map<string, HubError> {
  const written = new Set(checks.map(({ posReference }) => posReference));
  const parts = partsOf(tickets).filter(({ share }) => written.has(share.posReference));
  const partsOfDish = Map.groupBy(parts, ({ line }) => line.kitchenLineId);
  const holders = checks.flatMap(({ posReference, requested }, index) =>
    requested.flatMap((line) => {
      const dish = dishes[index]?.get(line.id);
      return dish === undefined ? [] : [{ dish, holder: { posReference, line, quantity: 0 } satisfies Holder }];
    }),
  );
  const holdersOfDish = Map.groupBy(holders, ({ dish }) => dish);
  const stored = new Map(
    checks.flatMap(({ posReference, stored: lines }) =>
      lines.map((line) => [lineKey({ posReference, lineId: line.id }), line]),
    ),
  );
  /** What a line held beyond its quantity, or as a void line; all of that is cancelled or made. */
  const excessOf = (key: string, parts: readonly Part[]): number => {
    const line = stored.get(key);
    return Math.max(0, subtract(total(parts), line?.voided === true ? 0 : (line?.quantity ?? 0)));
  };
  const refusals = new Map<string, HubError>();
  const refuse = (posReference: string, message: string): void => {
    if (!refusals.has(posReference)) refusals.set(posReference, new HubError("SENT_LINES_IMMUTABLE", message));
  };

  for (const [dish, dishParts] of partsOfDish) {
    const dishHolders = (holdersOfDish.get(dish) ?? []).map(({ holder }) => holder);
    const ofLine = Map.groupBy(dishParts, ({ share }) => lineKey(share));
    const surplusBefore = sum(
      [...ofLine].map(([key, own]) => surplusOf({ ...(stored.get(key) ?? { quantity: 0 }), sentQuantity: total(own) })),
    );
    for (const piece of placeDish(ofLine, dishHolders, excessOf)) {
      const { posReference, lineId } = piece.part.share;
      if (rights.mayTakeBack(piece.part)) takeBack(piece);
      else refuse(posReference, whyKept(lineId, dishHolders, ofLine.get(lineKey(piece.part.share)) ?? []));
    }
    const surplus = dishHolders.map((holder) => surplusOf({ ...holder.line, sentQuantity: holder.quantity }));
    if (rights.mayVoid || sum(surplus) <= surplusBefore) continue;
    const voided = dishHolders.find((_, index) => (surplus[index] ?? 0) > 0);
    if (voided === undefined) continue;
    refuse(voided.posReference, `line ${voided.line.id} is with the kitchen: only a cashier or manager may void it`);
  }
  for (const ticket of tickets) {
    for (const line of ticket.lines) line.shares = line.shares.filter(({ quantity }) => quantity > 0);
  }
  return refusals;
}

function total(parts: readonly Part[]): number {
  return sum(parts.map(({ share }) => share.quantity));
}

/**
 * Moves the shares of one dish between its holders and answers what nobody holds; that is still in its share. What is void
 * of a line counts last: a dish that another line wants is not cancelled with it.
 */
function placeDish(
  ofLine: ReadonlyMap<string, Part[]>,
  holders: readonly Holder[],
  excessOf: (key: string, parts: readonly Part[]) => number,
): Piece[] {
  const excess = new Map([...ofLine].map(([key, parts]) => [key, excessOf(key, parts)]));
  const holderOf = new Map(holders.map((holder) => [keyOf(holder), holder]));
  const surplus = [...ofLine].flatMap(([key, parts]) => {
    const holder = holderOf.get(key);
    const pieces = beyond(parts, holder === undefined ? 0 : wantedOf(holder.line));
    if (holder !== undefined) holder.quantity = subtract(total(parts), sum(pieces.map(({ quantity }) => quantity)));
    return pieces;
  });
  fill(holders, surplus, wantedOf);
  for (const piece of surplus) {
    const holder = holderOf.get(lineKey(piece.part.share));
    if (holder !== undefined) leave(piece, holder, excess.get(keyOf(holder)) ?? 0);
  }
  fill(holders, surplus, ({ quantity }) => quantity);
  const next = holders.find(({ line }) => line.voided === true) ?? holders[0];
  for (const [key, parts] of ofLine) {
    if (next === undefined || holderOf.has(key)) continue;
    // Where the line goes, what it held beyond its quantity goes with it.
    let left = excess.get(key) ?? 0;
    for (const piece of surplus.filter(({ part }) => parts.includes(part))) {
      const quantity = Math.min(left, piece.quantity);
      if (quantity > 0) move(piece, quantity, next);
      left = subtract(left, quantity);
    }
  }
  return surplus.filter(({ quantity }) => quantity > 0);
}

function keyOf({ posReference, line }: Holder): string {
  return lineKey({ posReference, lineId: line.id });
}

function wantedOf(line: TerminalLine): number {
  return subtract(line.quantity, voidedQuantityOf(line));
}

/** Gives what is left over to the lines that hold less than they may. */
function fill(holders: readonly Holder[], surplus: readonly Piece[], limitOf: (line: TerminalLine) => number): void {
  for (const holder of holders) {
    for (const piece of surplus) {
      const quantity = Math.min(piece.quantity, Math.max(0, subtract(limitOf(holder.line), holder.quantity)));
      if (quantity > 0) move(piece, quantity, holder);
    }
  }
}

/**
 * Leaves with its line what is void of it, and the excess that it held before; a line that is void keeps all that nobody
 * else wants.
 */
function leave(piece: Piece, holder: Holder, excess: number): void {
  const { line } = holder;
  const limit = line.voided === true ? Infinity : sum([line.quantity, excess]);
  const quantity = Math.min(piece.quantity, Math.max(0, limit - holder.quantity));
  piece.quantity = subtract(piece.quantity, quantity);
  piece.preparedQuantity = Math.min(piece.preparedQuantity, piece.quantity);
  holder.quantity = sum([holder.quantity, quantity]);
}

/** What these shares hold beyond a quantity; what is prepared is kept first, then what was sent first. */
function beyond(parts: readonly Part[], quantity: number): Piece[] {
  if (total(parts) <= quantity) return [];
  let left = quantity;
  const pieces = parts.map((part): Piece => {
    const { preparedQuantity } = part.share;
    const keptPrepared = Math.min(left, preparedQuantity);
    left = subtract(left, keptPrepared);
    return { part, quantity: part.share.quantity, preparedQuantity: subtract(preparedQuantity, keptPrepared) };
  });
  for (const piece of pieces) {
    const { share } = piece.part;
    const keptPrepared = subtract(share.preparedQuantity, piece.preparedQuantity);
    const keptRaw = Math.min(left, subtract(share.quantity, share.preparedQuantity));
    left = subtract(left, keptRaw);
    piece.quantity = subtract(share.quantity, sum([keptPrepared, keptRaw]));
  }
  return pieces.filter((piece) => piece.quantity > 0);
}

/** Moves so much of a piece, prepared first, to a share of another line. */
function move(piece: Piece, quantity: number, holder: Holder): void {
  const target = shareOf(piece.part, { posReference: holder.posReference, lineId: holder.line.id });
  take(piece, quantity, target);
  holder.quantity = sum([holder.quantity, quantity]);
}

function shareOf({ line }: Part, key: Pick<TicketShare, "posReference" | "lineId" | "takenBack">): TicketShare {
  const known = line.shares.find(
    (share) =>
      share.posReference === key.posReference && share.lineId === key.lineId && share.takenBack === key.takenBack,
  );
  if (known !== undefined) return known;
  const share: TicketShare = { ...key, quantity: 0, preparedQuantity: 0, cancelledQuantity: 0 };
  line.shares.push(share);
  return share;
}

function take(piece: Piece, quantity: number, target: TicketShare): void {
  const { share } = piece.part;
  const preparedQuantity = Math.min(piece.preparedQuantity, quantity);
  for (const from of [share, piece]) {
    from.quantity = subtract(from.quantity, quantity);
    from.preparedQuantity = subtract(from.preparedQuantity, preparedQuantity);
  }
  target.quantity = sum([target.quantity, quantity]);
  target.preparedQuantity = sum([target.preparedQuantity, preparedQuantity]);
}

/** No line holds it any more; the kitchen must not make it. */
function takeBack(piece: Piece): void {
  const { posReference, lineId } = piece.part.share;
  const share = shareOf(piece.part, { posReference, lineId, takenBack: true });
  take(piece, piece.quantity, share);
  share.cancelledQuantity = share.quantity;
}

function whyKept(lineId: string, holders: readonly Holder[], parts: readonly Part[]): string {
  const holder = holders.find(({ line }) => line.id === lineId);
  if (holder === undefined) return `line ${lineId} is already with the kitchen and must stay on the order`;
  const { quantity } = holder.line;
  return `line ${lineId} has ${total(parts)} with the kitchen; its quantity cannot be lowered to ${quantity}`;
}
