import type { KitchenTicket, TerminalLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import type { CheckLines } from "./find-dishes.ts";
import { type LineQuantities, undoneVoid, unwantedQuantityOf, wantedQuantityOf } from "./line-quantities.ts";
import {
  heldOf,
  lineKey,
  type Part,
  partsOf,
  setVoid,
  totalOf,
  unvoid,
  voidHeld,
  voidOf,
  voidTotalOf,
} from "./shares.ts";

/** What a writer may do with what the kitchen has. */
export interface KitchenRights {
  /** Void what was sent: a cashier or manager. */
  mayVoid: boolean;
  /** Whether a share can still be taken back by the writer. */
  mayTakeBack: (part: Part) => boolean;
}

/** Why a check may not drop, lower or void what the kitchen has. `sent` is what it holds of the line, void and all. */
export type SentLinesRefusal =
  | { code: "SENT_LINE_REMOVED"; values: { lineId: string } }
  | { code: "SENT_LINE_LOWERED"; values: { lineId: string; sent: number; quantity: number } }
  | { code: "VOID_NEEDS_CASHIER"; values: { lineId: string } };

/** A part of a share on its way to another line: what its line no longer asks for, or what is void of it. */
interface Piece {
  part: Part;
  quantity: number;
  preparedQuantity: number;
}

/** A line that holds, or wants to hold, a dish. */
interface Holder {
  posReference: string;
  line: TerminalLine;
  /** What it has of the dish that is not void, and what is. */
  held: number;
  voided: number;
}

/**
 * Gives each requested line its shares of what the kitchen has of its dish: a line keeps its own, as far as it asks for
 * them, and what is left over goes to lines that ask for more. What is void of a line is lent to no other: it is undone with
 * its void, and goes where its line goes. What no line asks for is void where a line says so, or taken back, or stays where
 * it was and is refused. Changes the shares of `tickets` in place; answers by check why it is refused.
 */
export function placeShares(
  tickets: readonly KitchenTicket[],
  checks: readonly CheckLines[],
  dishes: readonly ReadonlyMap<string, string>[],
  rights: KitchenRights,
): Map<string, SentLinesRefusal> {
  const written = new Set(checks.map(({ posReference }) => posReference));
  const parts = partsOf(tickets).filter(({ share }) => written.has(share.posReference));
  const holders = checks.flatMap(({ posReference, requested }, index) =>
    requested.flatMap((line) => {
      const dish = dishes[index]?.get(line.id);
      return dish === undefined ? [] : [{ dish, holder: { posReference, line, held: 0, voided: 0 } satisfies Holder }];
    }),
  );
  const holdersOfDish = Map.groupBy(holders, ({ dish }) => dish);
  const stored = new Map(
    checks.flatMap(({ posReference, stored: lines }) =>
      lines.map((line) => [lineKey({ posReference, lineId: line.id }), line]),
    ),
  );
  const refusals = new Map<string, SentLinesRefusal>();
  for (const [name, dishParts] of Map.groupBy(parts, ({ line }) => line.kitchenLineId)) {
    const ofLine = Map.groupBy(dishParts, ({ share }) => lineKey(share));
    const dishHolders = (holdersOfDish.get(name) ?? []).map(({ holder }) => holder);
    for (const [posReference, refusal] of placeDish(ofLine, dishHolders, stored, rights)) {
      if (!refusals.has(posReference)) refusals.set(posReference, refusal);
    }
  }
  for (const ticket of tickets) {
    for (const line of ticket.lines) {
      if (line.shares.some(({ quantity }) => quantity <= 0)) {
        line.shares = line.shares.filter(({ quantity }) => quantity > 0);
      }
    }
  }
  return refusals;
}

/** Moves the shares of one dish between its holders; answers the checks that are refused, and why. */
function placeDish(
  ofLine: ReadonlyMap<string, Part[]>,
  holders: readonly Holder[],
  stored: ReadonlyMap<string, LineQuantities>,
  rights: KitchenRights,
): [string, SentLinesRefusal][] {
  for (const [key, parts] of ofLine) voidExcess(parts, stored.get(key));
  const before = new Map(
    [...ofLine].map(([key, parts]) => [key, { sent: totalOf(parts), voided: voidTotalOf(parts) }]),
  );
  const holderOf = new Map(holders.map((holder) => [lineKeyOf(holder), holder]));
  const surplus: Piece[] = [];
  const spare: Piece[] = [];
  for (const [key, parts] of ofLine) {
    const holder = holderOf.get(key);
    if (holder !== undefined) settleOwn(holder, parts, stored.get(key));
    surplus.push(...heldBeyond(parts, holder?.held ?? 0));
    spare.push(...voidBeyond(parts, holder === undefined ? 0 : unwantedQuantityOf(holder.line)));
  }

  // A line that moves takes its own along before others get what is left over.
  give(surplus, holders, (holder, { part }) => (holder.line.id === part.share.lineId ? lackOf(holder) : 0), moveHeld);
  give(surplus, holders, lackOf, moveHeld);
  for (const piece of surplus) stayAsVoid(piece, holderOf.get(lineKey(piece.part.share)));
  give(surplus, holders, roomForVoid, moveAsVoid);
  give(spare, holders, roomForVoid, moveVoid);
  const next = holders.find(({ line }) => line.voided === true && line.comp !== true) ?? holders[0];
  for (const piece of spare) {
    // Where a line goes, what was void of it goes with it; of one that stays it stays.
    const own = holderOf.get(lineKey(piece.part.share));
    if (own !== undefined) own.voided = sum([own.voided, piece.quantity]);
    if (own !== undefined) piece.quantity = 0;
    else if (next !== undefined) moveVoid(piece, piece.quantity, next);
  }

  const refusals = [...surplus, ...spare].flatMap((piece): [string, SentLinesRefusal][] => {
    if (piece.quantity === 0) return [];
    const { posReference } = piece.part.share;
    const key = lineKey(piece.part.share);
    if (!rights.mayTakeBack(piece.part)) {
      return [[posReference, whyKept(piece.part.share.lineId, holderOf.get(key), before.get(key)?.sent ?? 0)]];
    }
    takeBack(piece, spare.includes(piece));
    return [];
  });
  const wasVoid = sum([...before.values()].map(({ voided }) => voided));
  const isMoreVoid = sum(holders.map(({ voided }) => voided)) > wasVoid;
  if (isMoreVoid && !rights.mayVoid) {
    const voided = holders.find((holder) => holder.voided > (before.get(lineKeyOf(holder))?.voided ?? 0));
    if (voided !== undefined) refusals.push([voided.posReference, whyNotVoid(voided.line)]);
  }
  return refusals;
}

/** What a line held beyond what it asked for was void, also where its tickets do not say so. */
function voidExcess(parts: readonly Part[], line: LineQuantities | undefined): void {
  const excess = subtract(heldTotalOf(parts), line === undefined ? 0 : wantedQuantityOf(line));
  if (excess > 0) voidHeld(parts, excess);
}

/** What a line keeps of its own: as much as it asks for, with what is no longer void of it. */
function settleOwn(holder: Holder, parts: readonly Part[], stored: LineQuantities | undefined): void {
  const held = heldTotalOf(parts);
  const voided = voidTotalOf(parts);
  const wanted = wantedQuantityOf(holder.line);
  const undone = stored === undefined ? 0 : undoneVoid({ voided, held, wanted }, stored, holder.line);
  unvoid(parts, undone);
  holder.held = Math.min(sum([held, undone]), Math.max(0, wanted));
  holder.voided = Math.min(subtract(voided, undone), unwantedQuantityOf(holder.line));
}

function heldTotalOf(parts: readonly Part[]): number {
  return sum(parts.map(({ share }) => heldOf(share)));
}

function lineKeyOf({ posReference, line }: Holder): string {
  return lineKey({ posReference, lineId: line.id });
}

/** How much more of the dish a line asks for. */
function lackOf({ line, held }: Holder): number {
  return subtract(wantedQuantityOf(line), held);
}

/** How much more of the dish may be void on a line. */
function roomForVoid({ line, voided }: Holder): number {
  return subtract(unwantedQuantityOf(line), voided);
}

function give(
  pieces: readonly Piece[],
  holders: readonly Holder[],
  roomOf: (holder: Holder, piece: Piece) => number,
  move: (piece: Piece, quantity: number, holder: Holder) => void,
): void {
  for (const holder of holders) {
    for (const piece of pieces) {
      const quantity = Math.min(piece.quantity, roomOf(holder, piece));
      if (quantity > 0) move(piece, quantity, holder);
    }
  }
}

/** What these shares hold beyond a quantity; what is prepared is kept first, then what was sent first. */
function heldBeyond(parts: readonly Part[], quantity: number): Piece[] {
  if (heldTotalOf(parts) <= quantity) return [];
  let left = quantity;
  const pieces = parts.map((part): Piece => {
    const { share } = part;
    const prepared = subtract(share.preparedQuantity, subtract(voidOf(share), share.cancelledQuantity));
    const kept = Math.min(left, prepared);
    left = subtract(left, kept);
    return { part, quantity: subtract(heldOf(share), kept), preparedQuantity: subtract(prepared, kept) };
  });
  for (const piece of pieces) {
    const kept = Math.min(left, subtract(piece.quantity, piece.preparedQuantity));
    left = subtract(left, kept);
    piece.quantity = subtract(piece.quantity, kept);
  }
  return pieces.filter((piece) => piece.quantity > 0);
}

/** What is void of these shares beyond a quantity, the oldest first. */
function voidBeyond(parts: readonly Part[], quantity: number): Piece[] {
  let kept = quantity;
  return parts.flatMap((part): Piece[] => {
    const voided = voidOf(part.share);
    const stays = Math.min(kept, voided);
    kept = subtract(kept, stays);
    const left = subtract(voided, stays);
    if (left === 0) return [];
    const prepared = subtract(voided, part.share.cancelledQuantity);
    return [{ part, quantity: left, preparedQuantity: Math.min(left, prepared) }];
  });
}

/** What is left over of a line is void as far as the line says so. */
function stayAsVoid(piece: Piece, holder: Holder | undefined): void {
  const quantity = holder === undefined ? 0 : Math.min(piece.quantity, roomForVoid(holder));
  if (holder === undefined || quantity <= 0) return;
  voidHeld([piece.part], quantity);
  holder.voided = sum([holder.voided, quantity]);
  piece.quantity = subtract(piece.quantity, quantity);
  piece.preparedQuantity = Math.min(piece.preparedQuantity, piece.quantity);
}

/** Moves so much of a piece, prepared first, to the share of another line, which asks for it. */
function moveHeld(piece: Piece, quantity: number, holder: Holder): void {
  transfer(piece, shareOf(piece.part, keyOf(holder)), { quantity, from: 0, to: 0 });
  holder.held = sum([holder.held, quantity]);
}

/** Moves so much of what is left over to another line, on which it is void. */
function moveAsVoid(piece: Piece, quantity: number, holder: Holder): void {
  transfer(piece, shareOf(piece.part, keyOf(holder)), { quantity, from: 0, to: quantity });
  holder.voided = sum([holder.voided, quantity]);
}

function moveVoid(piece: Piece, quantity: number, holder: Holder): void {
  transfer(piece, shareOf(piece.part, keyOf(holder)), { quantity, from: quantity, to: quantity });
  holder.voided = sum([holder.voided, quantity]);
}

/** No line holds it any more; the kitchen must not make it. */
function takeBack(piece: Piece, isVoid: boolean): void {
  const { posReference, lineId } = piece.part.share;
  const { quantity } = piece;
  transfer(piece, shareOf(piece.part, { posReference, lineId, takenBack: true }), {
    quantity,
    from: isVoid ? quantity : 0,
    to: quantity,
  });
}

/** So much of what is void of a share is held by no line any more; what is cancelled of it goes first. */
export function takeBackVoid(part: Part, quantity: number): void {
  const { line, share } = part;
  const preparedQuantity = subtract(quantity, Math.min(quantity, share.cancelledQuantity));
  takeBack({ part, quantity, preparedQuantity }, true);
  line.shares = line.shares.filter((each) => each.quantity > 0);
}

function keyOf({ posReference, line }: Holder): Pick<TicketShare, "posReference" | "lineId"> {
  return { posReference, lineId: line.id };
}

/** Carries a quantity, what is prepared first, to another share; so much less is void of the one, and so much more of the other. */
function transfer(
  piece: Piece,
  target: TicketShare,
  { quantity, from, to }: Record<"quantity" | "from" | "to", number>,
) {
  const { share } = piece.part;
  const prepared = Math.min(piece.preparedQuantity, quantity);
  const [fromVoid, toVoid] = [subtract(voidOf(share), from), sum([voidOf(target), to])];
  // What was taken to its guests is so wherever they sit; beside what was not it waits again.
  if (share.isServed !== true) delete target.isServed;
  else if (target.quantity === 0) target.isServed = true;
  for (const each of [share, piece]) {
    each.quantity = subtract(each.quantity, quantity);
    each.preparedQuantity = subtract(each.preparedQuantity, prepared);
  }
  target.quantity = sum([target.quantity, quantity]);
  target.preparedQuantity = sum([target.preparedQuantity, prepared]);
  setVoid(share, fromVoid);
  setVoid(target, toVoid);
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

function whyKept(lineId: string, holder: Holder | undefined, sent: number): SentLinesRefusal {
  if (holder === undefined) return { code: "SENT_LINE_REMOVED", values: { lineId } };
  return { code: "SENT_LINE_LOWERED", values: { lineId, sent, quantity: holder.line.quantity } };
}

function whyNotVoid({ id }: TerminalLine): SentLinesRefusal {
  return { code: "VOID_NEEDS_CASHIER", values: { lineId: id } };
}
