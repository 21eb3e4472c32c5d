import type { OrderType } from "@comanda/protocol";
import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { useLive } from "../../lib/connection/pos.ts";
import type { CheckEditor } from "./editing/check-editor.ts";
import { ChoiceSheet } from "./choices/choice-sheet.tsx";
import { rememberChoice } from "./choices/saved-choices.ts";
import type { Target } from "./editing/order-target.tsx";
import { StockSheet } from "./stock/stock-sheet.tsx";
import { stockOf } from "./stock/stock.ts";
import type { OrderSheet } from "./tiles/use-order-taps.ts";

/** The sheet of a dish: the choices of a new or existing line, or its stock. */
export function OrderSheets({
  sheet,
  onSheet,
  ...choice
}: {
  sheet: Exclude<OrderSheet, { name: "check" }>;
  onSheet: (sheet: OrderSheet | null) => void;
  menu: MenuIndex;
  orderType: OrderType;
  guests: number;
  target: Target;
  editor: CheckEditor;
}) {
  const itemStates = useLive("itemStates");
  const close = (): void => onSheet(null);
  const { product } = sheet;
  if (sheet.name === "stock") {
    return <StockSheet product={product} state={stockOf(product, itemStates)} onClose={close} />;
  }
  const { line, quantity } = sheet;
  const { editor, target, ...about } = choice;
  return (
    <ChoiceSheet
      {...about}
      product={product}
      line={line}
      start={{ ...target, quantity }}
      onChosen={(chosen) => {
        // The sheet stays open with what was typed if the change could not be made.
        if (line !== undefined && !editor.choose(line, chosen)) return;
        close();
        rememberChoice(product, chosen);
        if (line === undefined) editor.add(product, chosen);
      }}
      onRemove={() => {
        if (line === undefined || editor.remove(line)) close();
      }}
      onStock={() => onSheet({ name: "stock", product })}
      onClose={close}
    />
  );
}
