/** Reads the split from the address of a payment: equal parts (`3`), `amount`, or null for none. */
export function readParts(text: string | undefined): number | "amount" | null {
  if (text === "amount") return text;
  const count = Number(text);
  return Number.isInteger(count) && count >= 2 && count <= MAX_PARTS ? count : null;
}

/** More guests than fit at one table. */
const MAX_PARTS = 30;
