import type { BackOfficeProduct, ItemState, SetItemState } from "@comanda/protocol";
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
