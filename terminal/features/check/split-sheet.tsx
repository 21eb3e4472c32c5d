import { chargedQuantity } from "@comanda/rules";
import { contentOf } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { IconPlus } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { ActButton } from "../../components/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useTerminal } from "../../lib/pos.ts";
import { randomText } from "../../lib/random-text.ts";
import { newReference } from "../../checks/new-check.ts";
import { nameOf } from "../../checks/check-lines.ts";
import type { SheetProps } from "./sheet-props.ts";
import {
  emptySplit,
  give,
  partsOfDue,
  shareEqually,
  splitBySeats,
  splitChecks,
  withParts,
  type Shares,
} from "./split-parts.ts";
import { useCheckAct } from "./use-check-act.ts";

const MOST_PARTS = 12;

/**
 * Splits a check: the amount in equal parts, or one that somebody pays, which are taken one by one, or the lines by tapping them to a part, which
 * become checks of their own. Until the last tap it is a preview.
 */
export function SplitSheet({ order, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const terminal = useTerminal();
  const act = useCheckAct();
  const { posReference, snapshot } = order;
  // The lines as they were when the preview began: what comes later stays on the first check.
  const [content] = useState(() => contentOf(snapshot));
  const [shares, setShares] = useState<Shares>(() => emptySplit(content, 2));
  const [part, setPart] = useState(1);
  const parts = Math.max(1, ...[...shares.values()].map((held) => held.length));
  const checks = useMemo(
    () => splitChecks({ posReference, content }, shares, () => randomText(10)),
    [posReference, content, shares],
  );
  const seats = useMemo(() => splitBySeats(content), [content]);
  const totalOf = (index: number): number => checks.find((check) => check.part === index)?.content.totals?.total ?? 0;
  const lines = snapshot.lines.filter((line) => shares.has(line.id) && chargedQuantity(line) > 0);
  const amounts = [2, 3, 4, 5, 6].map((count) => partsOfDue(snapshot, count));

  const split = (): void => {
    const [first, ...others] = checks;
    if (first === undefined) return;
    const made = others.map((check) => ({ posReference: newReference(terminal.now()), content: check.content }));
    const isDone = act({
      what: t("split"),
      done: t("done.split", { count: checks.length }),
      run: (commands) => commands.changeOrders([...made, { posReference, content: first.content }]),
      undo: [posReference, ...made.map((check) => check.posReference)],
    });
    if (isDone) onDone();
  };

  return (
    <Sheet title={t("split")} onClose={onClose}>
      <section className="split">
        <h3>{t("equalParts")}</h3>
        <div className="check-chips">
          {amounts.map((each) => (
            <Link
              key={each.length}
              href={`/pay/${encodeURIComponent(posReference)}?parts=${each.length}`}
              className="act target"
            >
              <strong>÷ {each.length}</strong>
              <span className="target-about">{format.money(each[0] ?? 0)}</span>
            </Link>
          ))}
          <Link href={`/pay/${encodeURIComponent(posReference)}?parts=amount`} className="act target">
            <strong>{t("byAmount")}</strong>
            <span className="target-about">{t("byAmountAbout")}</span>
          </Link>
        </div>
        <h3>{t("byLine")}</h3>
        <p className="soft">{t("byLineAbout")}</p>
        <fieldset className="split-parts" aria-label={t("parts")}>
          {Array.from({ length: parts }, (_, index) => (
            <button
              key={index}
              type="button"
              className="act"
              data-size="small"
              aria-pressed={index === part}
              onClick={() => setPart(index)}
            >
              {t("part", { number: index + 1 })} · {format.money(totalOf(index))}
            </button>
          ))}
          <ActButton
            size="small"
            aria-label={t("anotherPart")}
            disabled={parts >= MOST_PARTS}
            onAct={() => {
              setShares(withParts(shares, parts + 1));
              setPart(parts);
            }}
          >
            <IconPlus size={22} aria-hidden />
          </ActButton>
          {seats !== null && (
            <ActButton
              size="small"
              onAct={() => {
                setShares(seats);
                setPart(0);
              }}
            >
              {t("bySeats")}
            </ActButton>
          )}
        </fieldset>
        <ul className="split-lines">
          {lines.map((line) => {
            const held = shares.get(line.id) ?? [];
            return (
              <li key={line.id} className="split-line">
                <button
                  type="button"
                  className="line-main"
                  onClick={() =>
                    setShares(give(shares, line.id, part, Number.isInteger(line.quantity) ? 1 : line.quantity))
                  }
                >
                  <span className="line-quantity">{format.number(line.quantity)}</span>
                  <span className="line-name">
                    <span className="line-dish">{nameOf(line)}</span>
                    <span className="line-note">
                      {held
                        .flatMap((quantity, index) =>
                          quantity > 0 ? [t("inPart", { number: index + 1, quantity: format.number(quantity) })] : [],
                        )
                        .join(" · ")}
                    </span>
                  </span>
                  <span className="money">{format.money(line.total ?? 0)}</span>
                </button>
                <ActButton
                  size="small"
                  aria-label={t("shareLine", { parts, name: nameOf(line) })}
                  onAct={() => setShares(shareEqually(shares, line.id))}
                >
                  ÷ {parts}
                </ActButton>
              </li>
            );
          })}
        </ul>
        <ActButton kind="main" className="split-done" disabled={checks.length < 2} onAct={split}>
          {t("splitInto", { count: Math.max(2, checks.length) })}
        </ActButton>
      </section>
    </Sheet>
  );
}
