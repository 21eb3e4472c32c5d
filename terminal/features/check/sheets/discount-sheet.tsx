import { amountDue, toCents } from "@comanda/rules";
import { discountCheck, discountLine, withoutDiscounts, type OrderContent } from "@comanda/terminal";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import { focusWhereLost } from "../../../lib/page/focus-where-lost.ts";
import { ReasonChips } from "./reason-chips.tsx";
import { TypedChip } from "./typed-chip.tsx";
import type { SheetProps } from "../acts/sheet-props.ts";
import { useCheckAct } from "../acts/use-check-act.ts";
import { useSelectionText } from "../acts/use-selection-text.ts";

type ChosenDiscount = { percent: number } | { amount: number };

const usual = [5, 10, 15, 20, 50, 100];

/** Asks for the discount, then the reason; the tap on a reason applies it. Lines take a percentage, a check also an amount. */
export function DiscountSheet({ order: { posReference, snapshot }, chosen, onClose, onDone }: SheetProps) {
  const { t, format } = useTranslation("check");
  const menu = useMenu()?.menu;
  const act = useCheckAct(onDone);
  const selection = useSelectionText()(chosen);
  const [chosenDiscount, setChosenDiscount] = useState<ChosenDiscount | null>(null);
  const isWhole = chosen.length === 0;
  const max = amountDue(snapshot);
  const what = t("what.discount", { what: isWhole ? t("wholeCheck") : selection });
  const size =
    chosenDiscount === null
      ? ""
      : "percent" in chosenDiscount
        ? `${format.number(chosenDiscount.percent)} %`
        : format.money(chosenDiscount.amount);
  const hasDiscount = isWhole
    ? (snapshot.adjustments ?? []).some(({ kind }) => kind === "discount")
    : chosen.some(({ line }) => line["discount"] !== undefined);

  const change = (done: string, edit: (content: OrderContent) => OrderContent): void => {
    act({ what: `${what}: ${size}`, done, posReference, edit });
  };
  const onLines = (content: OrderContent, discount: ChosenDiscount | null, reason?: string): OrderContent =>
    menu === undefined
      ? content
      : chosen.reduce((rest, { line }) => discountLine(rest, line.id, discount, menu, reason), content);
  const remove = (): void =>
    change(t("done.discountRemoved"), (content) => (isWhole ? withoutDiscounts(content) : onLines(content, null)));
  const give = (reason: string): void => {
    if (chosenDiscount === null) return;
    change(t("done.discounted", { size, what: isWhole ? t("wholeCheck") : selection }), (content) =>
      isWhole ? discountCheck(content, chosenDiscount, reason) : onLines(content, chosenDiscount, reason),
    );
  };

  return (
    <Sheet title={what} onClose={onClose}>
      <div className="stack low">
        {chosenDiscount === null ? (
          <div className="check-chips">
            {usual.map((percent) => (
              <ActButton key={percent} onAct={() => setChosenDiscount({ percent })}>
                {format.number(percent)} %
              </ActButton>
            ))}
            <TypedChip
              label={t("otherPercent")}
              inputMode="decimal"
              give="%"
              read={readPercent}
              onGive={setChosenDiscount}
            />
            {isWhole && (
              <TypedChip
                label={t("amountUpTo", { most: format.money(max) })}
                inputMode="decimal"
                give={t("ok")}
                read={(typed) => readAmount(typed, max)}
                onGive={setChosenDiscount}
              />
            )}
            {hasDiscount && <ActButton onAct={remove}>{t("removeDiscount")}</ActButton>}
          </div>
        ) : (
          <>
            <p ref={focusWhereLost} tabIndex={-1}>
              <strong>{size}</strong> · {t("whyDiscount")}
            </p>
            <ReasonChips of="discount" onReason={give} />
          </>
        )}
      </div>
    </Sheet>
  );
}

function readPercent(typed: string): ChosenDiscount | null {
  if (!/^\d{1,3}([.,]\d{1,2})?$/.test(typed)) return null;
  const percent = Number(typed.replace(",", "."));
  return percent > 0 && percent <= 100 ? { percent } : null;
}

function readAmount(typed: string, max: number): ChosenDiscount | null {
  // Only a comma before three digits separates thousands, so "1,5" is rejected instead of being read as 15.
  const amount = Number(typed.replaceAll(/,(?=\d{3}\b)/g, ""));
  return amount > 0 && amount <= max && toCents(amount) > 0 ? { amount } : null;
}
