import type { BackOfficeFloor } from "@comanda/protocol";
import type { CSSProperties } from "react";
import { isOfOtherWaiters, type TableCard } from "./table-card.ts";
import { TableTile } from "./table-tile.tsx";

/** Least size of the smallest table in px: large enough for a finger and its name. */
const SMALLEST = 92;

/** The floor plan to scale as drawn in the back-office, as large as fits; scrolls if tables would be too small. */
export function FloorPlan({
  floor,
  cards,
  isMine,
}: {
  floor: BackOfficeFloor;
  cards: readonly TableCard[];
  /** Whether only the user's own tables stand out; the others are muted, not hidden. */
  isMine: boolean;
}) {
  const byId = new Map(cards.map((card) => [card.tableId, card]));
  const left = Math.min(...floor.tables.map(({ x }) => x));
  const top = Math.min(...floor.tables.map(({ y }) => y));
  const width = Math.max(1, ...floor.tables.map((table) => table.x + table.width - left));
  const height = Math.max(1, ...floor.tables.map((table) => table.y + table.height - top));
  const sides = floor.tables.flatMap((table) => [table.width, table.height]).toSorted((one, other) => one - other);
  const usual = sides[Math.floor(sides.length / 2)] ?? 1;
  // Tables drawn without a size must not enlarge the plan.
  const smallest = sides.find((side) => side >= usual / 8) ?? 1;
  const area = {
    "--plan-ratio": width / height,
    "--plan-least": `${Math.ceil((SMALLEST * width) / Math.max(1, smallest))}px`,
  } as CSSProperties;
  return (
    <div className="plan" style={area}>
      <div className="plan-area">
        {floor.tables.map((table) => {
          const card = byId.get(table.id);
          if (card === undefined) return null;
          const place: CSSProperties = {
            left: `${(100 * (table.x - left)) / width}%`,
            top: `${(100 * (table.y - top)) / height}%`,
            width: `${(100 * table.width) / width}%`,
            height: `${(100 * table.height) / height}%`,
          };
          return (
            <div key={table.id} className="plan-place" style={place}>
              <TableTile card={card} shape={table.shape} isMuted={isMine && isOfOtherWaiters(card)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
