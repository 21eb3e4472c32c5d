import type { StoredLine } from "@comanda/protocol";
import { kitchenFieldNames, ITEM_ON_PAPER, ITEM_VOIDED } from "@comanda/protocol/line-fields.ts";
import { sum } from "../money/amounts.ts";
import { without } from "../without.ts";
import { isShareServed } from "./dish-places.ts";
import { activeQuantity, type Part, totalOf, voidTotalOf } from "./shares.ts";

const kitchenFields: ReadonlySet<string> = new Set(kitchenFieldNames);

/** Returns a line with the kitchen fields computed from its shares (oldest first); its own values for them are ignored. */
export function withKitchenFields(line: StoredLine, parts: readonly Part[], kitchenLineId?: string): StoredLine {
  const next = without(line, kitchenFields);
  const newest = parts.at(-1);
  const dish = newest?.line.kitchenLineId ?? kitchenLineId;
  if (dish !== undefined) next.kitchenLineId = dish;
  if (newest === undefined) return next;
  const { ticket } = newest;
  const voided = voidTotalOf(parts);
  return {
    ...next,
    kitchenSentAt: ticket.sentAt,
    sentQuantity: totalOf(parts),
    ...(voided > 0 && { sentVoidedQuantity: voided }),
    preparedQuantity: sum(parts.map(({ share }) => share.preparedQuantity)),
    kitchenTicketId: ticket.id,
    kitchenItemStatus: itemStatusOf(parts, newest),
    ...(ticket.queuedAt !== undefined && { queuedAt: ticket.queuedAt }),
    ...(parts.some((part) => part.line.soldOut === true) && { soldOut: true }),
  };
}

function itemStatusOf(parts: readonly Part[], newest: Part): string {
  const active = sum(parts.map(({ share }) => activeQuantity(share)));
  const prepared = sum(parts.map(({ share }) => share.preparedQuantity));
  if (active > 0 && parts.every(({ ticket }) => ticket.onPaper === true)) return ITEM_ON_PAPER;
  const isServed = parts.every(({ line, share }) => isShareServed(line, share) || activeQuantity(share) === 0);
  return statusWord({ active, prepared, isServed, word: newest.line.kitchenItemStatus });
}

/** Returns the displayed status of a line; `word` is the status text of the last bump. */
function statusWord(work: { active: number; prepared: number; isServed: boolean; word: string | undefined }): string {
  const { active, prepared, isServed, word } = work;
  if (active === 0) return ITEM_VOIDED;
  if (isServed) return "served";
  if (word !== undefined) return word;
  if (prepared >= active) return "ready";
  return prepared > 0 ? "preparing" : "pending";
}

/** Returns whether all of a line was printed at a station that marks no dishes, so it will never read ready or served. */
export function isOnPaper({ kitchenItemStatus }: Pick<StoredLine, "kitchenItemStatus">): boolean {
  return kitchenItemStatus === ITEM_ON_PAPER;
}

/** Returns whether two lines have the same kitchen fields. */
export function sameKitchenFields(one: StoredLine, other: StoredLine | undefined): boolean {
  return other !== undefined && kitchenFieldNames.every((field) => one[field] === other[field]);
}
