import type { KitchenTicket, TerminalLine, TicketShare } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";
import type { CheckLines } from "./find-dishes.ts";
import { type LineQuantities, undoneVoid, quantityNotToMake, quantityToMake } from "./line-quantities.ts";
import {
  heldOf,
  lineKey,
  type Part,
  partsOf,
  setVoid,
  shareOn,
  totalOf,
  unvoid,
  voidHeld,
  voidOf,
  voidTotalOf,
} from "./shares.ts";

/** The writer's rights over sent lines. */
export interface KitchenRights {
  /** Whether the writer may void sent lines, as cashiers and managers may. */
  mayVoid: boolean;
  /** Returns whether the writer can still take back a share. */
  mayTakeBack: (part: Part) => boolean;
}

/** Why a check may not drop, lower or void a sent line. `sent` is the quantity that its line holds, including void. */
export type SentLinesRefusal =
  | { code: "SENT_LINE_REMOVED"; values: { lineId: string } }
  | { code: "SENT_LINE_LOWERED"; values: { lineId: string; sent: number; quantity: number } }
  | { code: "VOID_NEEDS_CASHIER"; values: { lineId: string } };

/** A part of a share to be moved to another line: surplus that its line no longer asks for, or a void part. */
interface Piece {
  part: Part;
  quantity: number;
  preparedQuantity: number;
}

/** A line that holds, or asks for, a part of a dish. */
interface Holder {
  posReference: string;
  line: TerminalLine;
  /** The quantities that the line holds of the dish: not void, and void. */
  held: number;
  voided: number;
}

/**
 * Assigns the sent shares of each dish to the requested lines. A line keeps its own shares up to what it asks for; surplus goes
 * to lines that ask for more. A void part is never given to another line: it returns with its void, and moves with its line.
 * Surplus that no line asks for becomes void where a line says so, or is taken back; otherwise it stays and is rejected.
 * Changes the shares of `tickets` in place. Returns the rejections by check.
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
    const partsByLine = Map.groupBy(dishParts, ({ share }) => lineKey(share));
    const dishHolders = (holdersOfDish.get(name) ?? []).map(({ holder }) => holder);
    for (const [posReference, refusal] of placeDish(partsByLine, dishHolders, stored, rights)) {
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

/** Moves the shares of one dish between its holders. Returns the rejected checks with the reasons. */
function placeDish(
  partsByLine: ReadonlyMap<string, Part[]>,
  holders: readonly Holder[],
  stored: ReadonlyMap<string, LineQuantities>,
  rights: KitchenRights,
): [string, SentLinesRefusal][] {
  for (const [key, parts] of partsByLine) voidExcess(parts, stored.get(key));
  const before = new Map(
    [...partsByLine].map(([key, parts]) => [key, { sent: totalOf(parts), voided: voidTotalOf(parts) }]),
  );
  const holderOf = new Map(holders.map((holder) => [lineKeyOf(holder), holder]));
  const surplus: Piece[] = [];
  const spare: Piece[] = [];
  for (const [key, parts] of partsByLine) {
    const holder = holderOf.get(key);
    if (holder !== undefined) settleOwn(holder, parts, stored.get(key));
    surplus.push(...splitHeldSurplus(parts, holder?.held ?? 0));
    spare.push(...splitVoidSurplus(parts, holder === undefined ? 0 : quantityNotToMake(holder.line)));
  }

  // A moved line takes its own shares first; the remaining surplus goes to other lines.
  give(
    surplus,
    holders,
    (holder, { part }) => (holder.line.id === part.share.lineId ? shortageOf(holder) : 0),
    moveHeld,
  );
  give(surplus, holders, shortageOf, moveHeld);
  for (const piece of surplus) stayAsVoid(piece, holderOf.get(lineKey(piece.part.share)));
  give(surplus, holders, roomForVoid, moveAsVoid);
  give(spare, holders, roomForVoid, moveVoid);
  const next = holders.find(({ line }) => line.voided === true && line.comp !== true) ?? holders[0];
  for (const piece of spare) {
    // The void part of a line that stays remains there; that of a moved line moves along.
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
      return [[posReference, sentLineRefusal(piece.part.share.lineId, holderOf.get(key), before.get(key)?.sent ?? 0)]];
    }
    takeBack(piece, spare.includes(piece));
    return [];
  });
  const wasVoid = sum([...before.values()].map(({ voided }) => voided));
  const isMoreVoid = sum(holders.map(({ voided }) => voided)) > wasVoid;
  if (isMoreVoid && !rights.mayVoid) {
    const voided = holders.find((holder) => holder.voided > (before.get(lineKeyOf(holder))?.voided ?? 0));
    if (voided !== undefined) refusals.push([voided.posReference, voidRefusal(voided.line)]);
  }
  return refusals;
}

/** Voids what a stored line holds beyond its request, in case its tickets do not say so. */
function voidExcess(parts: readonly Part[], line: LineQuantities | undefined): void {
  const excess = subtract(heldTotalOf(parts), line === undefined ? 0 : quantityToMake(line));
  if (excess > 0) voidHeld(parts, excess);
}

/** Lets a line keep its own shares up to what it asks for, after undoing what is no longer void. */
function settleOwn(holder: Holder, parts: readonly Part[], stored: LineQuantities | undefined): void {
  const held = heldTotalOf(parts);
  const voided = voidTotalOf(parts);
  const wanted = quantityToMake(holder.line);
  const undone = stored === undefined ? 0 : undoneVoid({ voided, held, wanted }, stored, holder.line);
  unvoid(parts, undone);
  holder.held = Math.min(sum([held, undone]), Math.max(0, wanted));
  holder.voided = Math.min(subtract(voided, undone), quantityNotToMake(holder.line));
}

function heldTotalOf(parts: readonly Part[]): number {
  return sum(parts.map(({ share }) => heldOf(share)));
}

function lineKeyOf({ posReference, line }: Holder): string {
  return lineKey({ posReference, lineId: line.id });
}

/** Returns how much more of the dish a line asks for. */
function shortageOf({ line, held }: Holder): number {
  return subtract(quantityToMake(line), held);
}

/** Returns how much more of the dish can be void on a line. */
function roomForVoid({ line, voided }: Holder): number {
  return subtract(quantityNotToMake(line), voided);
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

/** Splits off what shares hold beyond a quantity. Prepared parts are kept first, then the oldest. */
function splitHeldSurplus(parts: readonly Part[], quantity: number): Piece[] {
  if (heldTotalOf(parts) <= quantity) return [];
  let remaining = quantity;
  const pieces = parts.map((part): Piece => {
    const { share } = part;
    const prepared = subtract(share.preparedQuantity, subtract(voidOf(share), share.cancelledQuantity));
    const retained = Math.min(remaining, prepared);
    remaining = subtract(remaining, retained);
    return { part, quantity: subtract(heldOf(share), retained), preparedQuantity: subtract(prepared, retained) };
  });
  for (const piece of pieces) {
    const retained = Math.min(remaining, subtract(piece.quantity, piece.preparedQuantity));
    remaining = subtract(remaining, retained);
    piece.quantity = subtract(piece.quantity, retained);
  }
  return pieces.filter((piece) => piece.quantity > 0);
}

/** Splits off the void parts of shares beyond a quantity. The oldest are kept. */
function splitVoidSurplus(parts: readonly Part[], quantity: number): Piece[] {
  let remaining = quantity;
  return parts.flatMap((part): Piece[] => {
    const voided = voidOf(part.share);
    const retained = Math.min(remaining, voided);
    remaining = subtract(remaining, retained);
    const surplus = subtract(voided, retained);
    if (surplus === 0) return [];
    const prepared = subtract(voided, part.share.cancelledQuantity);
    return [{ part, quantity: surplus, preparedQuantity: Math.min(surplus, prepared) }];
  });
}

/** Turns surplus into void on its own line, as far as the line says so. */
function stayAsVoid(piece: Piece, holder: Holder | undefined): void {
  const quantity = holder === undefined ? 0 : Math.min(piece.quantity, roomForVoid(holder));
  if (holder === undefined || quantity <= 0) return;
  voidHeld([piece.part], quantity);
  holder.voided = sum([holder.voided, quantity]);
  piece.quantity = subtract(piece.quantity, quantity);
  piece.preparedQuantity = Math.min(piece.preparedQuantity, piece.quantity);
}

/** Moves a quantity of surplus, prepared parts first, to a line that asks for it. */
function moveHeld(piece: Piece, quantity: number, holder: Holder): void {
  transfer(piece, shareOn(piece.part.line, keyOf(holder)), { quantity, from: 0, to: 0 });
  holder.held = sum([holder.held, quantity]);
}

/** Moves a quantity of surplus to another line, where it becomes void. */
function moveAsVoid(piece: Piece, quantity: number, holder: Holder): void {
  transfer(piece, shareOn(piece.part.line, keyOf(holder)), { quantity, from: 0, to: quantity });
  holder.voided = sum([holder.voided, quantity]);
}

function moveVoid(piece: Piece, quantity: number, holder: Holder): void {
  transfer(piece, shareOn(piece.part.line, keyOf(holder)), { quantity, from: quantity, to: quantity });
  holder.voided = sum([holder.voided, quantity]);
}

/** Takes a piece off all lines, so that the kitchen does not make it. */
function takeBack(piece: Piece, isVoid: boolean): void {
  const { posReference, lineId } = piece.part.share;
  const { quantity } = piece;
  transfer(piece, shareOn(piece.part.line, { posReference, lineId, takenBack: true }), {
    quantity,
    from: isVoid ? quantity : 0,
    to: quantity,
  });
}

/** Takes a void quantity off its line, cancelled parts first. */
export function takeBackVoid(part: Part, quantity: number): void {
  const { line, share } = part;
  const preparedQuantity = subtract(quantity, Math.min(quantity, share.cancelledQuantity));
  takeBack({ part, quantity, preparedQuantity }, true);
  line.shares = line.shares.filter((each) => each.quantity > 0);
}

function keyOf({ posReference, line }: Holder): Pick<TicketShare, "posReference" | "lineId"> {
  return { posReference, lineId: line.id };
}

/** Moves a quantity between shares, prepared parts first. `from` and `to` are the void parts of it on either side. */
function transfer(
  piece: Piece,
  target: TicketShare,
  { quantity, from, to }: Record<"quantity" | "from" | "to", number>,
) {
  const { share } = piece.part;
  const prepared = Math.min(piece.preparedQuantity, quantity);
  const [fromVoid, toVoid] = [subtract(voidOf(share), from), sum([voidOf(target), to])];
  // A served part stays served after a move, unless it joins a part that was not served.
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

function sentLineRefusal(lineId: string, holder: Holder | undefined, sent: number): SentLinesRefusal {
  if (holder === undefined) return { code: "SENT_LINE_REMOVED", values: { lineId } };
  return { code: "SENT_LINE_LOWERED", values: { lineId, sent, quantity: holder.line.quantity } };
}

function voidRefusal({ id }: TerminalLine): SentLinesRefusal {
  return { code: "VOID_NEEDS_CASHIER", values: { lineId: id } };
}
