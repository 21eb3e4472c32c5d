import type { PlanTable } from "@comanda/protocol";
import { memo, type CSSProperties } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useTableLabel } from "../../components/labels.ts";
import { useNow } from "../../lib/hub-time.ts";
import { shortName, tableLook } from "./table-look.ts";
import "./floor-drawing.css";
import "./table-card.css";

interface TableCardProps {
  table: PlanTable;
  onOpen: ((table: PlanTable) => void) | null;
}

/** One table in words: its name, its state, how long it has lasted and whether someone is working on it. */
export const TableCard = memo(function TableCard({ table, onOpen }: TableCardProps) {
  const { t, format } = useTranslation(["service", "common"]);
  const now = useNow();
  const tableLabel = useTableLabel();
  const name = shortName(table.name);
  const state =
    table.checkStatus === null ? t(`common:tableStatus.${table.status}`) : t(`common:status.${table.checkStatus}`);
  const face = (
    <>
      <span className="visually-hidden">{tableLabel(table.name)}</span>
      <span className="table-card-name" aria-hidden>
        {name}
      </span>
      <span className="table-card-state">{state}</span>
      {table.since !== null && (
        <span className="table-card-since num">{format.durationShort(now - Date.parse(table.since))}</span>
      )}
      {table.busy && (
        <span className="table-card-busy">
          <span className="visually-hidden">{t("service:busy")}</span>
        </span>
      )}
    </>
  );
  const lengths = { "--length": name.length, "--state-length": state.length } as CSSProperties;
  return (
    <li className="table-card" data-look={tableLook(table)} style={lengths}>
      {onOpen === null ? (
        <div className="table-card-face">{face}</div>
      ) : (
        <button type="button" className="table-card-face" onClick={() => onOpen(table)}>
          {face}
        </button>
      )}
    </li>
  );
});

/** Sorts the tables of a floor by position, row by row. */
export function sortByFloor(tables: readonly PlanTable[]): PlanTable[] {
  return tables.toSorted((a, b) => a.y - b.y || a.x - b.x);
}
