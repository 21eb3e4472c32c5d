import type { BackOfficeProduct, ItemState, SetItemState, StoredLine } from "@comanda/protocol";
import { missingQuantity, subtract } from "@comanda/rules";
import type { Terminal } from "@comanda/terminal";
import { translator } from "@comanda/ui/translation.ts";
import { sayStock } from "../../../lib/menu/say-stock.ts";

/** The hour at which a new day of a restaurant begins. */
const NEW_DAY_HOUR = 5;

export function isSoldOut(state: ItemState | undefined): boolean {
  return state?.state === "out" || (state?.state === "limited" && (state.left ?? 0) <= 0);
}

/** What is said of a product's stock; undefined: nothing. */
export function stockOf({ id }: BackOfficeProduct, states: readonly ItemState[]): ItemState | undefined {
  return states.find(({ productId }) => String(productId) === String(id));
}

/** A line that asks for more than there is, and how many whole ones of it there are. */
export interface ShortLine {
  line: StoredLine;
  left: number;
}

/** The lines of which there is less than they ask for; the others take first what is left of the same dish. */
export function shortLines(lines: readonly StoredLine[], states: readonly ItemState[]): ShortLine[] {
  const lefts = new Map(states.map(({ productId, state, left }) => [String(productId), state === "out" ? 0 : left]));
  const short = lines.filter((line) => {
    const id = String(line.productId);
    const left = lefts.get(id);
    if (left == null) return false;
    const rest = subtract(left, missingQuantity(line));
    if (rest >= 0) lefts.set(id, rest);
    return rest < 0;
  });
  return short.map((line) => {
    const id = String(line.productId);
    const left = Math.floor(lefts.get(id) ?? 0);
    lefts.set(id, 0);
    return { line, left };
  });
}

/** The next morning after `now` (ms since 1970), ISO 8601, in the time of this device. */
export function nextMorning(now: number): string {
  const morning = new Date(now);
  morning.setHours(NEW_DAY_HOUR, 0, 0, 0);
  if (morning.getTime() <= now) morning.setDate(morning.getDate() + 1);
  return morning.toISOString();
}

/** Says what is left of a product, to every terminal, with a way back to what was said before. */
export function setStock(terminal: Terminal, name: string, next: SetItemState): void {
  const t = translator("order");
  const text =
    next.state === "available"
      ? t("stock.saidAvailable", { name })
      : next.state === "limited"
        ? t("stock.saidLeft", { name, count: next.left ?? 0 })
        : t("stock.saidOut", { name });
  sayStock(terminal, next, text);
}
