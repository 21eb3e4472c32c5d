import type { BackOfficeFloor } from "@comanda/protocol";

type SeedTable = Omit<BackOfficeFloor["tables"][number], "state">;
type SeedFloor = Omit<BackOfficeFloor, "tables"> & { tables: SeedTable[] };

/** 18 tables on two floors. Record ids never equal the printed numbers: id 31 is "Mesa 4". */
export const floors: readonly SeedFloor[] = [
  { id: 3, name: "Salón", layoutMode: "grid", tables: Array.from({ length: 10 }, (_, index) => diningTable(index)) },
  {
    id: 5,
    name: "Terraza",
    layoutMode: "perimeter_center",
    tables: Array.from({ length: 8 }, (_, index) => terraceTable(index)),
  },
];

/** Two rows of five. */
function diningTable(index: number): SeedTable {
  return {
    id: 28 + index,
    name: `Mesa ${index + 1}`,
    seats: index % 5 === 4 ? 6 : 4,
    x: 40 + (index % 5) * 150,
    y: 40 + Math.floor(index / 5) * 170,
    width: 100,
    height: 100,
    shape: "square",
  };
}

/** Six along the edge, two larger ones in the centre. */
function terraceTable(index: number): SeedTable {
  const inCentre = index >= 6;
  const side = { id: 61 + index, name: `Terraza ${index + 1}` };
  if (inCentre) {
    return { ...side, seats: 8, x: 200 + (index - 6) * 220, y: 180, width: 160, height: 110, shape: "square" };
  }
  return {
    ...side,
    seats: 2,
    x: 40 + (index % 3) * 300,
    y: index < 3 ? 30 : 380,
    width: 80,
    height: 80,
    shape: "round",
  };
}
