import type { LiveFloorPlan, PlanTable } from "@comanda/protocol";
import { memo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { TableDrawing } from "./table-drawing.tsx";
import { tableLooks, type TableLook } from "./table-look.ts";
import "./floor-drawing.css";

type Floor = LiveFloorPlan["floors"][number];

interface FloorProps {
  floor: Floor;
  onOpen: ((table: PlanTable) => void) | null;
  /** The table that a search has just led to. */
  foundId?: string | undefined;
}

/** A floor to scale. Text repeats what the colour of a table shows. */
export const FloorDrawing = memo(function FloorDrawing({ floor, onOpen, foundId }: FloorProps) {
  const { t } = useTranslation("service");
  const { x, y, width, height } = extentOf(floor.tables);
  return (
    <svg
      className="floor"
      viewBox={`${x} ${y} ${width} ${height}`}
      preserveAspectRatio="xMidYMid meet"
      role="group"
      aria-label={`${t("plan")}: ${floor.name}`}
    >
      {floor.tables.map((table) => (
        <TableDrawing key={table.tableId} table={table} onOpen={onOpen} isFound={String(table.tableId) === foundId} />
      ))}
    </svg>
  );
});

const MARGIN = 16;

/** Returns the part of the floor that has tables, with a margin. */
function extentOf(tables: readonly Pick<PlanTable, "x" | "y" | "width" | "height">[]) {
  const left = Math.min(...tables.map((table) => table.x), Number.POSITIVE_INFINITY);
  const top = Math.min(...tables.map((table) => table.y), Number.POSITIVE_INFINITY);
  const right = Math.max(...tables.map((table) => table.x + table.width), left);
  const bottom = Math.max(...tables.map((table) => table.y + table.height), top);
  if (tables.length === 0) return { x: 0, y: 0, width: 100, height: 60 };
  return { x: left - MARGIN, y: top - MARGIN, width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN };
}

/** Explains the colours and marks of the tables. */
export function Legend() {
  const { t } = useTranslation(["service", "common"]);
  const labelOf = (look: TableLook) =>
    look === "available" || look === "reserved" ? t(`common:tableStatus.${look}`) : t(`common:status.${look}`);
  return (
    <ul className="plain-list chips legend" aria-label={t("service:legend")}>
      {tableLooks.map((look) => (
        <li key={look} className="row" data-look={look}>
          <svg width="18" height="14" aria-hidden>
            <rect x="1" y="1" width="16" height="12" rx="3" />
          </svg>
          {labelOf(look)}
        </li>
      ))}
      <li className="row" data-look="open">
        <svg width="12" height="12" aria-hidden>
          <circle className="table-busy" cx="6" cy="6" r="5" />
        </svg>
        {t("service:busy")}
      </li>
    </ul>
  );
}
