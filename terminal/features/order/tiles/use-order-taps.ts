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

/** The open sheet: the choices or stock of a dish, or on a phone the check. */
export type OrderSheet =
  | { name: "choice"; product: BackOfficeProduct; line?: StoredLine; quantity: number }
  | { name: "stock"; product: BackOfficeProduct }
  | { name: "check" };

interface OpenedSheet {
  sheet: OrderSheet | null;
  /** The check that was shown when the sheet opened; undefined if the dish may begin one. */
  of: string | undefined;
}

/** The part of the shown check that decides whether an open sheet still belongs to it. */
interface ShownCheck {
  posReference: string;
  snapshot: { lines: readonly StoredLine[] };
}

/**
 * Whether an open sheet belongs to another check than the one shown: its check was paid, moved or discarded elsewhere, and the
 * table's next check must not get the dish. Also true if its line was removed, moved or voided.
 */
export function isForAnother({ sheet, of }: OpenedSheet, shown: ShownCheck | undefined): boolean {
  if (sheet?.name !== "choice" || of === undefined) return false;
  const { line } = sheet;
  const isOn = ({ lines }: ShownCheck["snapshot"]): boolean =>
    line === undefined || lines.some((each) => each.id === line.id && chargedQuantity(each) > 0);
  return of !== shown?.posReference || !isOn(shown.snapshot);
}

export type OrderTaps = ReturnType<typeof useOrderTaps>;

/** Handles taps on tiles and on lines of the check: adds one dish, or opens a sheet. */
export function useOrderTaps({
  menu,
  order,
  editor,
  first,
}: {
  menu: MenuIndex;
  order: LocalOrder | undefined;
  editor: CheckEditor;
  /** The sheet that is open at first. */
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
