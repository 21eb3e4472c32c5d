import type { BackOfficeProduct, StoredLine } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useState } from "react";
import type { MenuIndex } from "../../../lib/menu/menu-index.ts";
import { useLive } from "../../../lib/connection/pos.ts";
import { useStable } from "../../../lib/page/use-stable.ts";
import type { CheckEditor } from "../editing/check-editor.ts";
import { mustChoose } from "../choices/modifier-choices.ts";
import type { Target } from "../editing/order-target.tsx";
import { isSoldOut, stockOf } from "../stock/stock.ts";

/** What is open over the tiles: the choices or the stock of a dish, or on a phone the check. */
export type OrderSheet =
  | { name: "choice"; product: BackOfficeProduct; line?: StoredLine; quantity: number }
  | { name: "stock"; product: BackOfficeProduct }
  | { name: "check" };

interface OpenedSheet {
  sheet: OrderSheet | null;
  /** The check that was shown then; undefined: the dish may begin one. */
  of: string | undefined;
}

/** What is shown of a check, as far as an open sheet may be about it. */
interface ShownCheck {
  posReference: string;
  snapshot: { lines: readonly StoredLine[] };
}

/**
 * Whether its check was paid, moved or discarded elsewhere: the next one of the table must not get the dish. So it is with a
 * line that was taken off, moved or made void: nothing can be chosen of it any more.
 */
export function isForAnother({ sheet, of }: OpenedSheet, shown: ShownCheck | undefined): boolean {
  if (sheet?.name !== "choice" || of === undefined) return false;
  const { line } = sheet;
  const isOn = ({ lines }: ShownCheck["snapshot"]): boolean =>
    line === undefined || lines.some((each) => each.id === line.id && chargedQuantity(each) > 0);
  return of !== shown?.posReference || !isOn(shown.snapshot);
}

export type OrderTaps = ReturnType<typeof useOrderTaps>;

/** What a tap on a tile or on a line of the check does: one more dish, or a sheet that asks. */
export function useOrderTaps({
  menu,
  order,
  editor,
  first,
}: {
  menu: MenuIndex;
  order: LocalOrder | undefined;
  editor: CheckEditor;
  /** The sheet to begin with. */
  first: OrderSheet | null;
}) {
  const itemStates = useLive("itemStates");
  const posReference = order?.posReference;
  const [opened, show] = useState<OpenedSheet>({ sheet: first, of: posReference });
  const { sheet } = opened;
  const setSheet = (next: OrderSheet | null): void => show({ sheet: next, of: posReference });
  if (isForAnother(opened, order)) setSheet(null);
  const [target, setTarget] = useState<Target>({ seat: null, course: 1 });
  const [isStockMode, setStockMode] = useState(false);

  function tap(product: BackOfficeProduct, quantity: number): void {
    const { seat, course } = target;
    if (isStockMode || isSoldOut(stockOf(product, itemStates))) setSheet({ name: "stock", product });
    else if (mustChoose(product)) setSheet({ name: "choice", product, quantity });
    else editor.add(product, { quantity, course, ...(seat !== null && { seat }) });
  }
  function hold(product: BackOfficeProduct): void {
    setSheet(isStockMode ? { name: "stock", product } : { name: "choice", product, quantity: 1 });
  }
  const openLine = useStable((lineId: string): void => {
    const line = order?.snapshot.lines.find(({ id }) => id === lineId);
    const product = menu.product(line?.productId);
    if (line === undefined || product === undefined) return;
    setSheet({ name: "choice", product, line, quantity: line.quantity });
  });
  return { sheet, setSheet, target, setTarget, isStockMode, setStockMode, itemStates, tap, hold, openLine };
}
