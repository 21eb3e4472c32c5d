/** How the address of a payment asks to divide: into equal parts (`3`), by an amount (`amount`), or not: null. */
export function readParts(asked: string | undefined): number | "amount" | null {
  if (asked === "amount") return asked;
  const count = Number(asked);
  return Number.isInteger(count) && count >= 2 && count <= MOST_PARTS ? count : null;
}

/** More guests than sit at one table. */
const MOST_PARTS = 30;
