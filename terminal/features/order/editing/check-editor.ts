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

/** Returns the editing acts for the lines of a check, or of a check that its first line opens. */
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
  /** Whether a line whose choices are open is still unsent. If it was sent or removed, shows a notice. */
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
    /** Adds a dish. Returns the reference of its check, or null if refused; the refusal has been shown. */
    add(product: BackOfficeProduct, choice?: Choice): string | null {
      const line = newLine(product, { menu: menu.menu, orderType, lineId: randomText(10) }, choice);
      return attempt(() => {
        if (order === undefined) return openCheck(terminal, draft, [line]).posReference;
        const like = lineLike(order.snapshot, line)?.id;
        terminal.editOrder(order.posReference, (content) => withLine(content, { like, line }, menu));
        return order.posReference;
      });
    },
    /** Sets the quantity of a line, never below what was sent to the kitchen. 0 removes the line. */
    setQuantity,
    /**
     * Changes the choices of an unsent line at its unit price; `opened` is the line as it was opened. Returns false, after a
     * notice, if it was sent or removed in the meantime: the kitchen would not see the change.
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
    /** Removes a line whose choices are open. Returns false as `choose` does. */
    remove(opened: StoredLine): boolean {
      const isThere = isUnsentStill(opened);
      if (isThere) setQuantity(opened.id, 0);
      return isThere;
    },
    setGuests: (guestCount: number): void => edit((content) => ({ ...content, guestCount })),
  };
}

/** Whether the check would be blank without this line; it is then discarded with it. */
function isOnlyLine({ snapshot }: LocalOrder, lineId: string): boolean {
  return snapshot.lines.every(({ id }) => id === lineId) && isBlank(snapshot);
}

/** Adds a line, or raises the quantity of one like it, in the check's current content. */
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
