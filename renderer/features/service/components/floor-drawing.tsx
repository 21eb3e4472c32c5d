import type { LiveFloorPlan, PlanTable } from "@comanda/protocol";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { TableDrawing } from "./table-drawing.tsx";
import "./floor-drawing.css";

type Floor = LiveFloorPlan["floors"][number];

interface FloorProps {
  floor: Floor;
  onOpen: ((table: PlanTable) => void) | null;
}

/** A floor to scale. Tables are drawn where they stand; what a table says in colour it says in words too. */
export const FloorDrawing = memo(function FloorDrawing({ floor, onOpen }: FloorProps) {
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
        <TableDrawing key={table.tableId} table={table} onOpen={onOpen} />
      ))}
    </svg>
  );
});

const MARGIN = 16;

/** The part of the room that has tables, with a margin; never narrower than 16 : 9 would need for a single table. */
export function extentOf(tables: readonly Pick<PlanTable, "x" | "y" | "width" | "height">[]) {
  const left = Math.min(...tables.map((table) => table.x), Number.POSITIVE_INFINITY);
  const top = Math.min(...tables.map((table) => table.y), Number.POSITIVE_INFINITY);
  const right = Math.max(...tables.map((table) => table.x + table.width), left);
  const bottom = Math.max(...tables.map((table) => table.y + table.height), top);
  if (tables.length === 0) return { x: 0, y: 0, width: 100, height: 60 };
  return { x: left - MARGIN, y: top - MARGIN, width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN };
}
