import type { LocalOrder } from "@comanda/terminal";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useLive } from "../../lib/connection/pos.ts";
import { ActBar } from "./lines/act-bar.tsx";
import { CheckName } from "./check-name.tsx";
import { CheckHead } from "./check-head.tsx";
import { CheckLinesList } from "./lines/check-lines-list.tsx";
import { CheckSheets } from "./check-sheets.tsx";
import { progressOf } from "./lines/line-progress.ts";
import type { SheetName } from "./acts/sheet-props.ts";
import { hasSubject, openSheet, type OpenSheet } from "./acts/open-sheet.ts";
import { fromCents, taxesByName, chargedQuantity } from "@comanda/rules";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import type { ChosenLine } from "./acts/line-acts.ts";
import "./check.css";
import "./lines/check-lines.css";
import "./check-sheets.css";

/**
 * A check. A tap selects a line, and acts for the selection appear below the lines. The sums and the next act stay visible at
 * the end. The menu has the acts of the whole check.
 */
export function CheckPanel({
  title,
  order,
  siblings,
  strips,
  next,
  pay,
  onChoose,
  onQuantity,
  onOpenLine,
}: {
  title: string;
  order: LocalOrder | undefined;
  siblings: readonly LocalOrder[];
  /** Suggestions and warnings about the check. */
  strips: ReactNode;
  /** The next act for the kitchen; `pay` leads to the payment. */
  next: ReactNode;
  pay: ReactNode;
  onChoose?: (posReference: string) => void;
  /** Changes the quantity of an unsent line. */
  onQuantity: (lineId: string, quantity: number) => void;
  /** Opens the choices of a line. */
  onOpenLine: (lineId: string) => void;
}) {
  const { t } = useTranslation("check");
  const [, go] = useLocation();
  const tickets = useLive("tickets");
  const recent = useLive("recentTickets");
  const { lineIds, chosen, toggle, clear, choosePart } = useChosenLines(order);
  const posReference = order?.posReference;
  const [sheet, showSheet] = useState<OpenSheet | null>(null);
  const setSheet = (name: SheetName | null): void =>
    showSheet(name === null ? null : openSheet(name, posReference, chosen.length));
  // Closed, not only hidden: otherwise it would open again for the next selected line.
  if (sheet !== null && !hasSubject(sheet, posReference, chosen.length)) showSheet(null);
  const progress = useMemo(
    () => progressOf(posReference ?? "", [...tickets, ...recent]),
    [posReference, tickets, recent],
  );
  const acts = { onPart: choosePart, onQuantity, onOpen: openLine, onSheet: setSheet, onDone: clear };

  function openLine(lineId: string): void {
    // Otherwise the line would stay selected while dishes are added.
    clear();
    onOpenLine(lineId);
  }
  function openMenu(): void {
    // The menu acts on the whole check.
    clear();
    showSheet(openSheet("menu", posReference, 0));
  }
  function finish(moved?: string): void {
    setSheet(null);
    clear();
    // Follows the moved check: at its old table the next dish would begin another check.
    if (moved !== undefined) go(`/check/${encodeURIComponent(moved)}`);
  }
  return (
    <div className="check">
      <CheckHead title={title} order={order} onMenu={openMenu} onContact={() => setSheet("details")} />
      <CheckSiblings checks={siblings} shown={posReference} onChoose={onChoose} />
      <CheckLinesList key={posReference} order={order} progress={progress} chosen={lineIds} onToggle={toggle} />
      <div className="rows check-foot">
        {order !== undefined && chosen.length > 0 && <ActBar {...{ order, chosen, progress }} {...acts} />}
        {strips}
        <fieldset className="check-block" aria-label={t("block")}>
          <CheckTotal order={order} />
          <div className="chips check-ways">
            {next}
            {order !== undefined && order.snapshot.lines.length > 0 && (
              <ActButton className="check-split" onAct={() => setSheet("split")}>
                <IconArrowsSplit2 size={22} aria-hidden />
                {t("split")}
              </ActButton>
            )}
            {pay}
          </div>
        </fieldset>
      </div>
      {order !== undefined && sheet !== null && (
        <CheckSheets name={sheet.name} order={order} chosen={chosen} onSheet={setSheet} onDone={finish} />
      )}
    </div>
  );
}

/** The checks of one table, if it has several. */
function CheckSiblings({
  checks,
  shown,
  onChoose,
}: {
  checks: readonly LocalOrder[];
  shown: string | undefined;
  onChoose: ((posReference: string) => void) | undefined;
}) {
  const { t } = useTranslation("check");
  if (checks.length <= 1) return null;
  return (
    <div className="check-siblings" role="tablist" aria-label={t("checks")}>
      {checks.map((check) => (
        <ActButton
          key={check.posReference}
          role="tab"
          size="small"
          isRepeatable
          aria-selected={check.posReference === shown}
          onAct={() => onChoose?.(check.posReference)}
        >
          <CheckName check={check} />
        </ActButton>
      ))}
    </div>
  );
}

/** The sums of a check: subtotal, each tax, discounts and charges, and total. */
function CheckTotal({ order }: { order: LocalOrder | undefined }) {
  const { t, format } = useTranslation("check");
  const menu = useMenu()?.menu;
  const snapshot = order?.snapshot;
  const taxes = useMemo(
    () => (snapshot === undefined || menu === undefined ? [] : taxesByName(snapshot, menu, t("otherTaxes"))),
    [snapshot, menu, t],
  );
  const { adjustments = [], totals } = snapshot ?? {};
  const sums = [
    ...(totals === undefined || taxes.length === 0 ? [] : [{ name: t("subtotal"), amount: totals.subtotal }]),
    ...taxes.map(({ name, cents }) => ({ name, amount: fromCents(cents) })),
    ...adjustments.map(({ kind, reason, amount }) => ({
      name: joinWithDots(t(`adjustment.${kind}`), reason),
      amount,
    })),
  ];
  return (
    <dl className="check-sums">
      {sums.map(({ name, amount }, index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd className="money">{format.money(amount)}</dd>
        </div>
      ))}
      <div className="check-total">
        <dt>{t("total")}</dt>
        <dd className="money">{format.money(totals?.total ?? 0)}</dd>
      </div>
    </dl>
  );
}

const none: ReadonlySet<string> = new Set();

/** State of the selected lines of a check. Drops lines of another check and lines no longer charged. */
function useChosenLines(order: LocalOrder | undefined) {
  const [selected, setSelected] = useState({ of: "", lineIds: none });
  const [part, setPart] = useState<number | null>(null);
  const posReference = order?.posReference ?? "";
  const lineIds = selected.of === posReference ? selected.lineIds : none;
  const lines = order?.snapshot.lines.filter((line) => lineIds.has(line.id) && chargedQuantity(line) > 0) ?? [];

  function select(next: ReadonlySet<string>): void {
    setSelected({ of: posReference, lineIds: next });
    setPart(null);
  }
  return {
    lineIds,
    /** The charged quantity of each selected line, or the chosen part of a single one. */
    chosen: lines.map((line): ChosenLine => {
      const counted = chargedQuantity(line);
      return { line, quantity: lines.length === 1 && part !== null ? Math.min(part, counted) : counted };
    }),
    toggle(lineId: string) {
      const next = new Set(lines.map(({ id }) => id));
      if (!next.delete(lineId)) next.add(lineId);
      select(next);
    },
    clear: () => select(none),
    /** Sets how much of the single selected line is meant. */
    choosePart: setPart,
  };
}
