import type { LiveFloorPlan } from "@comanda/protocol";
import type { CSSProperties } from "react";
import { Panel } from "../../components/panel.tsx";
import { asTheyStand, TableCard } from "./table-card.tsx";

interface WallFloorProps {
  floor: LiveFloorPlan["floors"][number];
  /** How much of the wall's width it has, from 0 to 1. */
  share: number;
}

/** The width of the wall's floors for each unit of their height, on a screen of 16 : 9, and that of a table's card. */
const WALL_RATIO = 3;
const CARD_RATIO = 1.25;

/** A floor as cards that fill the space: a plan to scale is mostly gaps, and too small to be read from afar. */
export function WallFloor({ floor, share }: WallFloorProps) {
  const columns = Math.max(1, Math.round(Math.sqrt((floor.tables.length * share * WALL_RATIO) / CARD_RATIO)));
  return (
    <Panel title={floor.name} flush>
      <ul className="plain-list wall-tables" style={{ "--columns": columns } as CSSProperties}>
        {asTheyStand(floor.tables).map((table) => (
          <TableCard key={table.tableId} table={table} onOpen={null} />
        ))}
      </ul>
    </Panel>
  );
}
