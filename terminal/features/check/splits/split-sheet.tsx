import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import type { SheetProps } from "../acts/sheet-props.ts";
import { useSplitAct, useSplitPreview, type SplitPreview } from "./use-split.ts";
import type { StoredLine } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import { choiceOf, dishName } from "../../../checks/check-lines.ts";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import { IconPlus } from "@tabler/icons-react";
import type { LocalOrder } from "@comanda/terminal";
import { Link } from "wouter";
import { partsOfDue } from "./split-parts.ts";

/** Splits a check: into amounts, or by tapping lines into parts that become checks. Nothing changes before the last tap. */
export function SplitSheet({ order, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const split = useSplitPreview(order);
  const splitNow = useSplitAct(order.posReference, onDone);
  const { checks, lines } = split;
  return (
    <Sheet title={t("split")} onClose={onClose}>
      <section className="rows tight split">
        <SplitAmounts order={order} />
        <h3>{t("byLine")}</h3>
        <p className="soft">{t("byLineAbout")}</p>
        <SplitPartsRow split={split} />
        <ul className="split-lines">
          {lines.map((line) => (
            <SplitLine key={line.id} line={line} split={split} />
          ))}
        </ul>
        <ActButton kind="main" className="split-done" disabled={checks.length < 2} onAct={() => splitNow(checks)}>
          {t("splitInto", { count: Math.max(2, checks.length) })}
        </ActButton>
      </section>
    </Sheet>
  );
}

/** A line in a split: a tap gives one to the selected part, and a button shares it among all. */
function SplitLine({ line, split }: { line: StoredLine; split: SplitPreview }) {
  const { t, format } = useTranslation("check");
  const { parts, heldOf, giveLine, shareLine } = split;
  const { seat } = choiceOf(line);
  const name = dishName(line, useMenu());
  return (
    <li className="split-line">
      <button type="button" className="line" onClick={() => giveLine(line)}>
        <span className="line-quantity">{format.quantity(chargedQuantity(line))}</span>
        <span className="line-dish">{name}</span>
        <span className="line-about">
          {seat !== undefined && <b className="line-seat">{t("seat", { seat })}</b>}
          {heldOf(line).map(
            (quantity, index) =>
              quantity > 0 && (
                <span key={index}>{t("inPart", { number: index + 1, quantity: format.quantity(quantity) })}</span>
              ),
          )}
        </span>
        <span className="money">{format.money(line.total ?? 0)}</span>
      </button>
      <ActButton size="small" aria-label={t("shareLine", { parts, name })} onAct={() => shareLine(line)}>
        ÷ {parts}
      </ActButton>
    </li>
  );
}

const MAX_PARTS = 12;

/** The parts of a split with their totals; the selected one gets the next line tapped. */
function SplitPartsRow({ split }: { split: SplitPreview }) {
  const { t, format } = useTranslation("check");
  const { parts, part, setPart, totalOf, addPart, splitSeats } = split;
  return (
    <fieldset className="check-chips split-parts" aria-label={t("parts")}>
      {Array.from({ length: parts }, (_, index) => (
        <ActButton
          key={index}
          size="small"
          className="target"
          isRepeatable
          aria-pressed={index === part}
          onAct={() => setPart(index)}
        >
          <strong>{t("part", { number: index + 1 })}</strong>
          <span className="target-about">{format.money(totalOf(index))}</span>
        </ActButton>
      ))}
      <ActButton size="small" isRepeatable aria-label={t("anotherPart")} disabled={parts >= MAX_PARTS} onAct={addPart}>
        <IconPlus size={22} aria-hidden />
      </ActButton>
      {splitSeats !== null && (
        <ActButton size="small" onAct={splitSeats}>
          {t("bySeats")}
        </ActButton>
      )}
    </fieldset>
  );
}

/** Links to pay the check in equal parts, or in amounts that guests name, one by one. */
function SplitAmounts({ order: { posReference, snapshot } }: { order: LocalOrder }) {
  const { t, format } = useTranslation("check");
  const amounts = [2, 3, 4, 5, 6].map((count) => partsOfDue(snapshot, count));
  return (
    <>
      <h3>{t("equalParts")}</h3>
      <div className="check-chips">
        {amounts.map((each) => (
          <Link
            key={each.length}
            href={`/pay/${encodeURIComponent(posReference)}/${each.length}`}
            className="act target"
          >
            <strong>÷ {each.length}</strong>
            <span className="target-about">{format.money(each[0] ?? 0)}</span>
          </Link>
        ))}
        <Link href={`/pay/${encodeURIComponent(posReference)}/amount`} className="act target">
          <strong>{t("byAmount")}</strong>
          <span className="target-about">{t("byAmountAbout")}</span>
        </Link>
      </div>
    </>
  );
}
