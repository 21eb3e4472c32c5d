import { benchLine, benchTotals, type BenchLine } from "../lib/bench-lines.ts";

/** The content of an order as a terminal writes it: 10 plain lines, 1.5 KB of JSON. */
export interface YearOrder {
  orderType: "dine_in" | "takeout";
  tableId: number | null;
  customerName: string;
  staffName: string;
  guestCount: number;
  notes: string;
  lines: BenchLine[];
  totals: { subtotal: number; tax: number; total: number };
}

const LINES = 10;
const waiters = ["Ana Peralta", "Ramón Batista", "Yudelka Reyes", "Joel Mateo"] as const;
const guests = ["Núñez", "De la Cruz", "Altagracia", "Encarnación", "Polanco", "Marte", "Ureña", "Féliz"] as const;
const notes = ["sin cebolla", "bien cocido", "para compartir", "salsa aparte", "término ¾"] as const;

/** Returns order number `index` after `edit` changes; each change raises the quantity of one more line. */
export function yearOrder(index: number, edit: number, tableId: number | null): YearOrder {
  const lines = Array.from({ length: LINES }, (_, n) => {
    const quantity = 1 + ((index + n) % 3) + (n < edit ? 1 : 0);
    const cents = 9_500 + 1_250 * ((index * 7 + n * 3) % 23);
    const note = n % 3 === 0 ? notes[(index + n) % notes.length] : undefined;
    return benchLine(`l${index}-${n}`, 1 + ((index * 5 + n * 7) % 40), quantity, cents, note);
  });
  return {
    orderType: tableId === null ? "takeout" : "dine_in",
    tableId,
    customerName: `Sra. ${guests[index % guests.length]} ${index}`,
    staffName: waiters[index % waiters.length] ?? waiters[0],
    guestCount: 1 + (index % 4),
    notes: "",
    lines,
    totals: benchTotals(lines),
  };
}
