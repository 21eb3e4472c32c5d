import type { BackOfficeProduct, ItemState, SetItemState } from "@comanda/protocol";
import { useState } from "react";
import { Mark } from "@comanda/ui/mark.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { nextMorning } from "@comanda/ui/zoned-time.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Counter } from "../../../components/counter.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { isSoldOut, setStock } from "./stock.ts";

const INITIAL_COUNT = 5;

/** Sets how much of a dish is left, for every terminal at once. */
export function StockSheet({
  product,
  state,
  onClose,
}: {
  product: BackOfficeProduct;
  state: ItemState | undefined;
  onClose: () => void;
}) {
  const { t, format } = useTranslation("order");
  const terminal = useTerminal();
  const [left, setLeft] = useState(state?.left ?? INITIAL_COUNT);
  const say = (next: Omit<SetItemState, "productId">) => {
    setStock(terminal, product.name, { productId: product.id, ...next });
    onClose();
  };
  const outToday = () => {
    const morning = nextMorning(terminal.now(), format.timeZone);
    say({ state: "out", until: new Date(morning).toISOString() });
  };
  return (
    <Sheet title={product.name} onClose={onClose}>
      <div className="choice-all">
        {state !== undefined && (
          <>
            <p className="row stock-now" data-tone={isSoldOut(state) ? "bad" : "warn"}>
              <Mark>{isSoldOut(state) ? t("stock.out") : t("left", { count: state.left ?? 0 })}</Mark>
              {state.until !== null && t("stock.until", { when: format.when(state.until, terminal.now()) })}
            </p>
            <ActButton kind="main" onAct={() => say({ state: "available" })}>
              {t("stock.available")}
            </ActButton>
          </>
        )}
        <ActButton kind="danger" onAct={() => say({ state: "out" })}>
          {t("stock.out")}
        </ActButton>
        <ActButton kind="danger" onAct={outToday}>
          {t("stock.outToday")}
        </ActButton>
        <div className="choice-bar">
          <div className="row stepper">
            <Counter
              size="large"
              label={t("stock.leftNow")}
              value={left}
              shown={format.number(left)}
              onValue={setLeft}
            />
          </div>
          <ActButton onAct={() => say({ state: "limited", left })}>{t("stock.setLeft", { count: left })}</ActButton>
        </div>
      </div>
    </Sheet>
  );
}
