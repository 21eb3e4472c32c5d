import { costOf, sum } from "@comanda/rules";

/** Notes and coins of the peso, the largest first. */
export const pieceValues = [2000, 1000, 500, 200, 100, 50, 25, 10, 5, 1] as const;

/** Typed counts by value, as text; a missing one is zero. */
export type TypedPieces = Readonly<Partial<Record<number, string>>>;

const MAX_DIGITS = 5;

/** Returns the counts after one more key: a digit, or "erase". */
export function typePieces(typed: TypedPieces, value: number, key: string): TypedPieces {
  const before = typed[value] ?? "";
  const after = key === "erase" ? before.slice(0, -1) : `${before === "0" ? "" : before}${key}`;
  return { ...typed, [value]: after.slice(0, MAX_DIGITS) };
}

/** Returns the typed counts of pieces that are above zero. */
export function piecesOf(typed: TypedPieces): { value: number; count: number }[] {
  return pieceValues.flatMap((value) => {
    const count = Number(typed[value] ?? "");
    return count > 0 ? [{ value, count }] : [];
  });
}

/** Returns the total of the pieces. */
export function amountOfPieces(typed: TypedPieces): number {
  return sum(piecesOf(typed).map(({ value, count }) => costOf(value, count)));
}
