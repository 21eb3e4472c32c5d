import type { ItemState, KitchenTicket, Snapshot, StoredLine } from "@comanda/protocol";
import { activeQuantity, sum } from "@comanda/rules";
import { addLine, type LocalOrder, type OrderLine, repriceLine, type Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { showNotice } from "../../../lib/page/notices.ts";
import { randomText } from "../../../lib/device/random-text.ts";
import { attempt } from "../../../lib/page/show-refusal.ts";
import { choiceOf, dishName, newLine, withOthersOf } from "../../../checks/check-lines.ts";
import { sendCheck } from "../../../checks/send-check.ts";
import { isSoldOut, stockOf } from "../stock/stock.ts";

/** A dish of a round, with the quantity that was sent. */
export interface RoundPart {
  line: StoredLine;
  quantity: number;
}

/**
 * Returns the dishes of the check's last send that are still on the check; empty before the first send. A dish of which a split
 * left the check a fraction counts as whole, as the table ordered it.
 */
export function lastRound(
  { posReference, lines }: Pick<Snapshot, "posReference" | "lines">,
  tickets: readonly KitchenTicket[],
): RoundPart[] {
  const own = tickets.flatMap(({ sentAt, lines: ticketLines }) =>
    // A part in other words is a line of its own.
    [...Map.groupBy(ticketLines, ({ kitchenLineId }) => kitchenLineId).values()].flatMap((parts) => {
      const standing = parts.flatMap(({ shares }) => shares.filter(({ takenBack }) => takenBack !== true));
      const all = sum(standing.map(activeQuantity));
      return standing
        .filter((share) => share.posReference === posReference)
        .map((share) => ({ lineId: share.lineId, quantity: wholeOf(activeQuantity(share), all), sentAt }));
    }),
  );
  const lastAt = own.reduce((latest, { sentAt }) => (sentAt > latest ? sentAt : latest), "");
  return own
    .filter(({ sentAt }) => sentAt === lastAt)
    .flatMap(({ lineId, quantity }) => {
      const line = lines.find(({ id }) => id === lineId);
      return line === undefined || line.voided === true || quantity <= 0 ? [] : [{ line, quantity }];
    });
}

/** Returns the whole quantity for a fraction of whole dishes; goods sold by weight keep theirs. */
function wholeOf(quantity: number, all: number): number {
  return Number.isInteger(all) && !Number.isInteger(quantity) ? all : quantity;
}

/**
 * Adds the last round of a check again, without sold-out dishes, and sends it at once. Shows a notice with undo. Returns false
 * if there is nothing to repeat or it was refused; the reason has been shown.
 */
export function sameRoundAgain(terminal: Terminal, menu: MenuIndex, order: LocalOrder): boolean {
  const t = translator("order");
  const { posReference, snapshot } = order;
  const states = terminal.itemStates();
  const round = lastRound(snapshot, [...terminal.tickets(), ...terminal.recentTickets()]);
  const parts = round.map((part) => ({ ...part, again: lineAgain(part, menu, snapshot, states) }));
  const lines = parts.flatMap(({ again }) => (again === null ? [] : [again]));
  const out = [...new Set(parts.filter(({ again }) => again === null).map(({ line }) => dishName(line, menu)))].join(
    ", ",
  );
  if (lines.length === 0) {
    showNotice({ text: out === "" ? t("noRound") : t("roundOut", { names: out }) });
    return false;
  }
  const isDone = attempt(() => {
    terminal.editOrder(posReference, (content) => lines.reduce(addLine, content));
    return true;
  });
  const changed = terminal.order(posReference);
  if (isDone === null || changed === undefined) return false;
  const added = new Set(lines.map(({ id }) => id));
  const again = changed.snapshot.lines.filter(({ id }) => added.has(id));
  const more = out === "" ? "" : t("roundWithout", { names: out });
  return sendCheck(terminal, changed, again, { text: "roundSent", more, keepUnsent: false });
}

/** Returns a dish of a round again, as it was ordered, at the menu's prices; null if sold out or no longer on the menu. */
export function lineAgain(
  { line, quantity }: RoundPart,
  menu: MenuIndex,
  { orderType }: Pick<Snapshot, "orderType">,
  states: readonly ItemState[],
): OrderLine | null {
  const product = menu.product(line.productId);
  if (product === undefined || isSoldOut(stockOf(product, states))) return null;
  const { note, allergy, seat } = choiceOf(line);
  const modifiers = choiceOf(line).modifiers.map((each) => {
    const offered = product.modifiers?.find(({ id }) => String(id) === String(each.id));
    return { ...each, price: offered?.price ?? each.price };
  });
  const { specialRequest } = line;
  const choice = { quantity, modifiers, ...(note && { note }), ...(allergy && { allergy }), ...(seat && { seat }) };
  const plain = newLine(product, { menu: menu.menu, orderType, lineId: randomText(10) }, choice);
  const again = repriceLine(withOthersOf(line, plain), orderType, menu.menu);
  return specialRequest == null ? again : { ...again, specialRequest };
}
