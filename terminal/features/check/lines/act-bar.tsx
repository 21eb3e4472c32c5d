import { chargedQuantity, sum } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { IconX, IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { isUnsent, dishName } from "../../../checks/check-lines.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Counter } from "../../../components/counter.tsx";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { costOf, hasBeenSent, isBeingMade, type ChosenLine } from "../acts/line-acts.ts";
import type { LineProgress } from "./line-progress.ts";
import type { SheetName } from "../acts/sheet-props.ts";
import { useLineActs } from "./use-line-acts.ts";
import type { StoredLine } from "@comanda/protocol";
import { useMenu } from "../../../lib/menu/use-menu.ts";

/** The acts for the selected lines, with their count and sum. */
export function ActBar({
  order,
  chosen,
  progress,
  onPart,
  onQuantity,
  onOpen,
  onSheet,
  onDone,
}: {
  order: LocalOrder;
  chosen: readonly ChosenLine[];
  progress: ReadonlyMap<string, LineProgress>;
  /** Selects only a part of the one selected line. */
  onPart: (quantity: number) => void;
  /** Changes the quantity of the one selected line, which is unsent. */
  onQuantity: (lineId: string, quantity: number) => void;
  /** Opens the choices of the line. */
  onOpen: (lineId: string) => void;
  onSheet: (sheet: SheetName) => void;
  /** Called when the act is done; clears the selection. */
  onDone: () => void;
}) {
  const { t, format } = useTranslation(["check", "order"]);
  const terminal = useTerminal();
  const [only] = chosen;
  const hasParts = chosen.length === 1 && only !== undefined && chargedQuantity(only.line) > 1;
  const isTaxed = chosen.some(({ line }) => (line.taxAmount ?? 0) > 0);
  const isNothingSent = chosen.every(({ line }) => !hasBeenSent(line));
  const secondsLeft = useTextAt(() => {
    const remainingMs = chosen.map(({ line }) =>
      hasBeenSent(line) ? terminal.takeBackLeftMs(order.posReference, line.id) : 0,
    );
    return String(Math.ceil(Math.min(...remainingMs) / 1000));
  });
  const served = chosen.flatMap(({ line }) => progress.get(line.id)?.ready ?? []);

  const { remove, takeBack, markServed } = useLineActs(order, chosen, onDone);

  return (
    <fieldset className="rows acts" aria-label={t("selected")}>
      <div className="row acts-what">
        <span>
          <strong>{t("order:lines", { count: chosen.length })}</strong>
          <span className="money"> · {format.money(sum(chosen.map(costOf)))}</span>
          {isTaxed && ` ${t("withTaxes")}`}
        </span>
        <ActButton size="small" aria-label={t("selectNone")} onAct={onDone}>
          <IconX size={22} aria-hidden />
        </ActButton>
      </div>
      {chosen.length === 1 && only !== undefined && isUnsent(only.line) && (
        <LineSteps line={only.line} onQuantity={onQuantity} onOpen={onOpen} />
      )}
      {hasParts && (
        <fieldset className="row line-steps" aria-label={t("howMany")}>
          <span>{t("howMany")}</span>
          <Counter
            value={only.quantity}
            shown={t("ofThem", {
              quantity: format.quantity(only.quantity),
              all: format.quantity(chargedQuantity(only.line)),
            })}
            max={chargedQuantity(only.line)}
            onValue={onPart}
          />
        </fieldset>
      )}
      <div className="chips acts-ways">
        {(["move", "discount", "comp"] as const).map((name) => (
          <ActButton key={name} size="small" onAct={() => onSheet(name)}>
            {t(name)}
          </ActButton>
        ))}
        {chosen.length === 1 && only !== undefined && isBeingMade(only.line) && (
          <ActButton size="small" onAct={() => onSheet("words")}>
            {t("reword")}
          </ActButton>
        )}
        {served.length > 0 && (
          <ActButton size="small" onAct={() => markServed(served)}>
            {t("progress.served")}
          </ActButton>
        )}
        {secondsLeft !== "0" && (
          <ActButton size="small" onAct={takeBack}>
            {t("takeBack", { seconds: secondsLeft })}
          </ActButton>
        )}
        <ActButton
          size="small"
          kind="danger"
          className="acts-apart"
          onAct={isNothingSent ? remove : () => onSheet("void")}
        >
          {t(isNothingSent ? "remove" : "void")}
        </ActButton>
      </div>
    </fieldset>
  );
}

/** Changes the quantity of a line, and its choices while nothing of it was sent. */
function LineSteps({
  line,
  onQuantity,
  onOpen,
}: {
  line: StoredLine;
  onQuantity: (lineId: string, quantity: number) => void;
  onOpen: (lineId: string) => void;
}) {
  const { t, format } = useTranslation("check");
  const { id, quantity, sentQuantity = 0 } = line;
  const name = dishName(line, useMenu());
  return (
    <div className="row line-steps">
      {sentQuantity === 0 && (
        <ActButton size="small" className="line-change" aria-label={t("change", { name })} onAct={() => onOpen(id)}>
          <IconAdjustmentsHorizontal size={20} aria-hidden />
          {t("changeShort")}
        </ActButton>
      )}
      <Counter
        value={quantity}
        shown={format.quantity(quantity)}
        less={t("less", { name })}
        more={t("more", { name })}
        // What was sent can only be voided.
        min={sentQuantity}
        onValue={(next) => onQuantity(id, next)}
      />
    </div>
  );
}
