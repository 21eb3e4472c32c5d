import type { BackOfficeProduct, OrderType, StoredLine } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import {
  addLine,
  changeQuantity,
  removeLine,
  totalsOfContent,
  type LocalOrder,
  type OrderContent,
  type OrderLine,
  type Terminal,
} from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import { showNotice } from "../../../lib/page/notices.ts";
import { attempt } from "../../../lib/page/show-refusal.ts";
import { randomText } from "../../../lib/device/random-text.ts";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { lineLike, dishName, newLine, withChoice, type Choice } from "../../../checks/check-lines.ts";
import { isBlank } from "../../../checks/nothing-left.ts";
import { openCheck, type CheckDraft } from "../../../checks/new-check.ts";

export type CheckEditor = ReturnType<typeof editorOf>;

/** What a finger does to the lines of a check that is there, or of one that its first line makes. */
export function editorOf(
  terminal: Terminal,
  menu: MenuIndex,
  { order, draft }: { order: LocalOrder | undefined; draft: CheckDraft },
) {
  const orderType: OrderType = order?.snapshot.orderType ?? draft.orderType;
  const edit = (change: (content: OrderContent) => OrderContent) => {
    if (order === undefined) return;
    attempt(() => terminal.editOrder(order.posReference, change));
  };
  /** Whether the kitchen has nothing of a line whose choices are open; where it has, or the line is gone, says so. */
  const isUnsentStill = (opened: StoredLine): boolean => {
    const { lines = [] } = terminal.order(order?.posReference ?? "")?.snapshot ?? {};
    const present = lines.find(({ id }) => id === opened.id);
    if (present !== undefined && (present.sentQuantity ?? 0) === 0) return true;
    const t = translator("order");
    showNotice({ text: t(present === undefined ? "lineGone" : "lineSent", { name: dishName(opened, menu) }) });
    return false;
  };
  function setQuantity(lineId: string, quantity: number): void {
    const sent = order?.snapshot.lines.find(({ id }) => id === lineId)?.sentQuantity ?? 0;
    const next = Math.max(sent, quantity);
    if (next === 0 && order !== undefined && isOnlyLine(order, lineId)) {
      attempt(() => terminal.discardOrder(order.posReference));
      return;
    }
    edit((content) => (next === 0 ? removeLine(content, lineId) : changeQuantity(content, lineId, next, menu.menu)));
  }
  return {
    /** Answers the check that it went to; null when it was refused, which has been said. */
    add(product: BackOfficeProduct, choice?: Choice): string | null {
      const line = newLine(product, { menu: menu.menu, orderType, lineId: randomText(10) }, choice);
      return attempt(() => {
        if (order === undefined) return openCheck(terminal, draft, [line]).posReference;
        const like = lineLike(order.snapshot, line)?.id;
        terminal.editOrder(order.posReference, (content) => withLine(content, { like, line }, menu));
        return order.posReference;
      });
    },
    /** 0 takes the line off; never below what the kitchen has of it. */
    setQuantity,
    /**
     * Another choice for a line that was not sent, at the unit price that it has; `opened` is the line that it began with. False
     * where somebody has sent it meanwhile or taken it off, which has been said: the kitchen would not hear of the change.
     */
    choose(opened: StoredLine, choice: Choice): boolean {
      if (!isUnsentStill(opened)) return false;
      edit((content) => {
        const line = content.lines?.find(({ id }) => id === opened.id);
        const product = menu.product(line?.productId);
        if (line === undefined || product === undefined) return content;
        const next = withChoice(line, { opened, choice }, { product, menu: menu.menu, orderType });
        const lines = content.lines?.map((each) => (each === line ? next : each)) ?? [];
        return { ...content, lines, totals: totalsOfContent({ ...content, lines }) };
      });
      return true;
    },
    /** Takes a line off whose choices are open; false as with `choose`. */
    remove(opened: StoredLine): boolean {
      const isThere = isUnsentStill(opened);
      if (isThere) setQuantity(opened.id, 0);
      return isThere;
    },
    setGuests: (guestCount: number): void => edit((content) => ({ ...content, guestCount })),
  };
}

/** Whether nothing stays of a check when this line goes: it goes with it. */
function isOnlyLine({ snapshot }: LocalOrder, lineId: string): boolean {
  return snapshot.lines.every(({ id }) => id === lineId) && isBlank(snapshot);
}

/** Adds a line, or raises the one like it; the edit is made on whatever the check has become meanwhile. */
function withLine(
  content: OrderContent,
  { like, line }: { like: string | undefined; line: OrderLine },
  menu: MenuIndex,
): OrderContent {
  const present = content.lines?.find(({ id }) => id === like);
  return present === undefined
    ? addLine(content, line)
    : changeQuantity(content, present.id, sum([present.quantity, line.quantity]), menu.menu);
}
