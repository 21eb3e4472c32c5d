import { crc32 } from "node:zlib";
import { benchLine, benchTotals, type BenchLine } from "../lib/bench-lines.ts";

/** An order as the load generator writes it: 10 plain lines (1.5 KB), and their checksum in an unknown field. */
export interface BenchSnapshot {
  orderType: "dine_in" | "takeout";
  tableId: number | null;
  customerName: string;
  guestCount: number;
  lines: BenchLine[];
  totals: { subtotal: number; tax: number; total: number };
  benchEdit: number;
  benchSum: number;
}

const LINES = 10;
const dishes = ["Mofongo con camarón", "Sancocho", "Tostones", "Chivo guisado", "Presidente grande", "Café"] as const;

/** Returns edit number `edit` (its version, counted from 1) of order `index`. */
export function benchSnapshot(index: number, edit: number, tableId: number | null): BenchSnapshot {
  const lines = Array.from({ length: LINES }, (_, n) => {
    const quantity = 1 + ((index + edit + n) % 4);
    const cents = 9_500 + 1_250 * ((index + n) % dishes.length);
    return benchLine(
      `line-${index}-${n}`,
      1 + ((index + n) % 40),
      quantity,
      cents,
      dishes[(index + n) % dishes.length],
    );
  });
  return {
    orderType: tableId === null ? "takeout" : "dine_in",
    tableId,
    customerName: "señora Ñúñez",
    guestCount: 2,
    lines,
    totals: benchTotals(lines),
    benchEdit: edit,
    benchSum: sumOf(lines, edit),
  };
}

/** Returns whether a received snapshot still has the content that was written as this version. */
export function isUndamaged(snapshot: unknown, version: number): boolean {
  const { lines, benchEdit, benchSum } = snapshot as Partial<BenchSnapshot>;
  return benchEdit === version && Array.isArray(lines) && sumOf(lines, benchEdit) === benchSum;
}

function sumOf(lines: readonly BenchLine[], edit: number): number {
  let text = String(edit);
  for (const line of lines) {
    text += `|${line.id};${line.productId};${line.quantity};${line.unitPrice};${line.total};${line.taxAmount};${line.note}`;
  }
  return crc32(text);
}
