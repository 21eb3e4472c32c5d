/** How an address asks to divide: equal parts (`?parts=3`), by an amount (`?parts=amount`), or not: null. */
export function readParts(search: string): number | "amount" | null {
  const asked = new URLSearchParams(search).get("parts");
  if (asked === "amount") return asked;
  const count = Number(asked);
  return Number.isInteger(count) && count >= 2 && count <= MOST_PARTS ? count : null;
}

/** More guests than sit at one table. */
const MOST_PARTS = 30;
