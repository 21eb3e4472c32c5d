import type { PlanTable } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { memo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useTableLabel } from "../../components/labels.ts";
import { useNow } from "../../lib/hub-time.ts";
import { shortName, tableLook } from "./table-look.ts";

interface TableProps {
  table: PlanTable;
  onOpen: ((table: PlanTable) => void) | null;
  isFound: boolean;
}

/** One table: its name, its state or amount, how long it has lasted, and whether someone is working on it. */
export const TableDrawing = memo(function TableDrawing({ table, onOpen, isFound }: TableProps) {
  const { t, format } = useTranslation(["service", "common"]);
  const tableLabel = useTableLabel();
  const now = useNow();
  const { x, y, width, height, shape } = table;
  const size = Math.min(width, height);
  const look = tableLook(table);
  const shownName = shortName(table.name);
  const lasting = table.since === null ? null : format.duration(now - Date.parse(table.since));
  const short = table.since === null ? null : format.durationShort(now - Date.parse(table.since));
  const total = table.detail && sum(table.detail.checks.map((check) => check.total));
  const state =
    table.checkStatus === null ? t(`common:tableStatus.${table.status}`) : t(`common:status.${table.checkStatus}`);
  const small =
    table.checkStatus === null
      ? table.status === "available"
        ? t("service:seatsShort", { count: table.seats })
        : state
      : total === undefined
        ? state
        : format.moneyShort(total);
  const label = [
    tableLabel(table.name),
    state,
    lasting === null ? t("service:seats", { count: table.seats }) : t("common:lasting", { duration: lasting }),
    ...(table.busy ? [t("service:busy")] : []),
  ].join(", ");
  const open = onOpen === null ? null : () => onOpen(table);
  const centre = x + width / 2;
  return (
    <g
      className={open === null ? "table" : "table table-choice"}
      data-look={look}
      data-found={isFound || undefined}
      role={open === null ? "img" : "button"}
      tabIndex={open === null ? undefined : 0}
      onClick={open ?? undefined}
      onKeyDown={
        open === null
          ? undefined
          : (event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              open();
            }
      }
    >
      {/* Says more than the text on the table. Browsers also show it as a tooltip. */}
      <title>{label}</title>
      {shape === "round" ? (
        <ellipse cx={centre} cy={y + height / 2} rx={width / 2} ry={height / 2} />
      ) : (
        <rect x={x} y={y} width={width} height={height} rx={size * 0.1} />
      )}
      <text
        x={centre}
        y={y + height / 2 - size * (lasting === null ? 0.08 : 0.15)}
        fontSize={Math.min(size * 0.27, (width * 1.2) / shownName.length)}
        className="table-name"
      >
        {shownName}
      </text>
      <text x={centre} y={y + height / 2 + size * (lasting === null ? 0.22 : 0.1)} fontSize={size * 0.165}>
        {small}
      </text>
      {lasting !== null && (
        <text x={centre} y={y + height / 2 + size * 0.31} fontSize={size * 0.155}>
          {short}
        </text>
      )}
      {table.busy && <circle className="table-busy" cx={x + width - size * 0.11} cy={y + size * 0.11} r={size * 0.1} />}
    </g>
  );
});
