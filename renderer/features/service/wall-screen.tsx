import { Button } from "@mantine/core";
import type { LiveFloorPlan } from "@comanda/protocol";
import { useEffect, type CSSProperties, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { Loaded } from "../../components/tables/loaded.tsx";
import { useHub } from "../../lib/hub.ts";
import { useEscape } from "../../lib/use-escape.ts";
import { withoutDetail } from "../../lib/without-detail.ts";
import { Tiles } from "./tiles.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { sortByFloor, TableCard } from "./table-card.tsx";
import "./wall.css";

function leaveFullScreen() {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
}

/**
 * For a screen on the wall, readable from three metres: the sentence, the numbers and the tables of all floors. Guests see it,
 * so it shows only public data, even if a manager is signed in: no amounts, no names.
 */
export function WallScreen({ sentence }: { sentence: ReactNode }) {
  const { t } = useTranslation("service");
  const [, go] = useLocation();
  const overview = useHub("overview");
  const plan = useHub("floorPlan");
  const leave = () => go("/");
  useEffect(() => leaveFullScreen, []);
  useEscape(true, leave);
  return (
    <main className="wall" tabIndex={-1} aria-label={t("wall")}>
      <h1 className="visually-hidden">{t("title")}</h1>
      {sentence}
      <Loaded query={overview}>{(data) => <Tiles overview={withoutDetail(data)} />}</Loaded>
      <Loaded query={plan}>{({ floors }) => <Floors floors={floors} />}</Loaded>
      <footer className="wall-foot">
        <Button variant="default" size="xs" onClick={leave}>
          {t("leaveWall")}
        </Button>
      </footer>
    </main>
  );
}

/** The width of each floor depends on its number of tables. */
function Floors({ floors }: Pick<LiveFloorPlan, "floors">) {
  const counts = floors.map((floor) => Math.max(1, floor.tables.length));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const columns = counts.map((count) => `minmax(0, ${count}fr)`).join(" ");
  return (
    <div className="wall-floors" style={{ "--floors": columns } as CSSProperties}>
      {floors.map((floor, index) => (
        <WallFloor key={floor.id} floor={floor} share={(counts[index] ?? 1) / total} />
      ))}
    </div>
  );
}

interface WallFloorProps {
  floor: LiveFloorPlan["floors"][number];
  /** The floor's share of the wall's width, from 0 to 1. */
  share: number;
}

/** The ratio of width to height of the floors on a 16 : 9 screen, and of a table's card. */
const WALL_RATIO = 3;
const CARD_RATIO = 1.25;

/** A floor as cards that fill the space: a plan to scale is mostly gaps, and too small to read from afar. */
function WallFloor({ floor, share }: WallFloorProps) {
  const columns = Math.max(1, Math.round(Math.sqrt((floor.tables.length * share * WALL_RATIO) / CARD_RATIO)));
  return (
    <Panel title={floor.name} flush>
      <ul className="plain-list wall-tables" style={{ "--columns": columns } as CSSProperties}>
        {sortByFloor(floor.tables).map((table) => (
          <TableCard key={table.tableId} table={table} onOpen={null} />
        ))}
      </ul>
    </Panel>
  );
}
