import { chargedQuantity } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { IconDots } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { ActButton } from "../../components/act-button.tsx";
import { useLive } from "../../lib/pos.ts";
import type { CheckEditor } from "../order/check-editor.ts";
import { isUnsent } from "../order/check-lines.ts";
import { ActBar } from "./act-bar.tsx";
import { CheckSheets } from "./check-sheets.tsx";
import { type ChosenLine } from "./line-acts.ts";
import { progressOf } from "./line-progress.ts";
import { LineRow } from "./line-row.tsx";
import { ReadyNote } from "./ready-note.tsx";
import type { SheetName } from "./sheet-props.ts";
import "./check.css";

/**
 * A check as it stands: what the kitchen has and what it does not have yet, apart; a tapped line is selected, and the acts
 * for what is selected stand below. The acts of the whole check are behind the dots.
 */
export function CheckPanel({
  title,
  order,
  editor,
  siblings,
  onChoose,
}: {
  title: string;
  order: LocalOrder | undefined;
  editor: CheckEditor;
  siblings: readonly LocalOrder[];
  onChoose?: (posReference: string) => void;
}) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const [, go] = useLocation();
  const tickets = useLive("tickets");
  const recent = useLive("recentTickets");
  const [selected, setSelected] = useState<{ of: string; lineIds: ReadonlySet<string> }>({
    of: "",
    lineIds: new Set(),
  });
  const [part, setPart] = useState<number | null>(null);
  const [sheet, setSheet] = useState<SheetName | null>(null);
  const posReference = order?.posReference ?? "";
  const progress = useMemo(() => progressOf(posReference, [...tickets, ...recent]), [posReference, tickets, recent]);

  const lines = order?.snapshot.lines ?? [];
  const unsent = lines.filter(isUnsent);
  const sent = lines.filter((line) => !isUnsent(line));
  // What was selected on another check, or has gone since, is not selected.
  const lineIds = selected.of === posReference ? selected.lineIds : new Set<string>();
  const here = lines.filter((line) => lineIds.has(line.id) && chargedQuantity(line) > 0);
  const chosen = here.map((line): ChosenLine => {
    const counted = chargedQuantity(line);
    return { line, quantity: here.length === 1 && part !== null ? Math.min(part, counted) : counted };
  });
  const select = (next: ReadonlySet<string>): void => {
    setSelected({ of: posReference, lineIds: next });
    setPart(null);
  };
  const toggle = (lineId: string): void => {
    const next = new Set(here.map(({ id }) => id));
    if (!next.delete(lineId)) next.add(lineId);
    select(next);
  };
  const row = (line: (typeof lines)[number], onQuantity?: (quantity: number) => void) => (
    <li key={line.id}>
      <LineRow
        line={line}
        isSelected={lineIds.has(line.id)}
        progress={progress.get(line.id)}
        onToggle={toggle}
        {...(onQuantity === undefined ? {} : { onQuantity })}
      />
    </li>
  );

  return (
    <div className="check">
      <div className="check-head">
        <h1 className="check-title">
          <span className="check-name">{title}</span>
          {order !== undefined && (
            <span className="check-about">
              {[
                order.snapshot.customerName,
                t("guests", { count: order.snapshot.guestCount }),
                order.snapshot.staffName,
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          )}
        </h1>
        {order !== undefined && (
          <ActButton size="small" aria-label={t("acts")} onAct={() => setSheet("menu")}>
            <IconDots size={24} aria-hidden />
          </ActButton>
        )}
      </div>
      {siblings.length > 1 && (
        <div className="check-siblings" role="tablist" aria-label={t("checks")}>
          {siblings.map(({ posReference: reference, snapshot }) => (
            <button
              key={reference}
              type="button"
              role="tab"
              className="act"
              data-size="small"
              aria-selected={reference === order?.posReference}
              onClick={() => onChoose?.(reference)}
            >
              {snapshot.customerName ?? snapshot.checkNumber ?? "·"} · {format.moneyShort(snapshot.totals.total)}
            </button>
          ))}
        </div>
      )}
      <div className="check-lines">
        {order?.snapshot.notes != null && order.snapshot.notes !== "" && (
          <p className="check-notes">{order.snapshot.notes}</p>
        )}
        {lines.length === 0 && <p className="soft">{t("empty")}</p>}
        <ReadyNote progress={progress} />
        {sent.length > 0 && <ul>{sent.map((line) => row(line))}</ul>}
        {unsent.length > 0 && (
          <>
            <h2 className="check-part">{t("notSent")}</h2>
            <ul>{unsent.map((line) => row(line, (quantity) => editor.setQuantity(line.id, quantity)))}</ul>
          </>
        )}
      </div>
      <div className="check-foot">
        {order !== undefined && chosen.length > 0 ? (
          <ActBar
            order={order}
            chosen={chosen}
            progress={progress}
            onPart={setPart}
            onSheet={setSheet}
            onDone={() => select(new Set())}
          />
        ) : (
          <>
            {(order?.snapshot.adjustments ?? []).map((adjustment, index) => (
              <div key={index} className="check-adjustment">
                <span>
                  {t(`adjustment.${adjustment.kind}`)}
                  {adjustment.reason !== undefined && <span className="line-note">{adjustment.reason}</span>}
                </span>
                <span className="money">{format.money(adjustment.amount)}</span>
              </div>
            ))}
            <div className="check-total">
              {order !== undefined && lines.length > 0 && (
                <ActButton size="small" onAct={() => setSheet("split")}>
                  {t("split")}
                </ActButton>
              )}
              <span>{t("total")}</span>
              <strong className="money">{format.money(order?.snapshot.totals.total ?? 0)}</strong>
            </div>
          </>
        )}
      </div>
      {order !== undefined && sheet !== null && (
        <CheckSheets
          name={sheet}
          order={order}
          chosen={chosen}
          onSheet={setSheet}
          onDone={(moved) => {
            setSheet(null);
            select(new Set());
            // Where it is now: on the table that it left the next dish would begin another check.
            if (moved !== undefined) go(`/check/${encodeURIComponent(moved)}`);
          }}
        />
      )}
    </div>
  );
}
