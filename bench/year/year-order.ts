/** The content of an order as a terminal writes it: 10 plain lines, 1.5 KB as JSON. */
export interface YearOrder {
  orderType: "dine_in" | "takeout";
  tableId: number | null;
  customerName: string;
  staffName: string;
  guestCount: number;
  notes: string;
  lines: YearLine[];
  totals: { subtotal: number; tax: number; total: number };
}

interface YearLine {
  id: string;
  productId: string;
  quantity: number;
  unitPrice: number;
  total: number;
  taxIds: string[];
  taxAmount: number;
  note?: string;
}

const LINES = 10;
const waiters = ["Ana Peralta", "Ramón Batista", "Yudelka Reyes", "Joel Mateo"] as const;
const guests = ["Núñez", "De la Cruz", "Altagracia", "Encarnación", "Polanco", "Marte", "Ureña", "Féliz"] as const;
const notes = ["sin cebolla", "bien cocido", "para compartir", "salsa aparte", "término ¾"] as const;

/** Order number `index` after `edit` changes: each change raises the quantity of another line. */
export function yearOrder(index: number, edit: number, tableId: number | null): YearOrder {
  const lines = Array.from({ length: LINES }, (_, n): YearLine => {
    const quantity = 1 + ((index + n) % 3) + (n < edit ? 1 : 0);
    const cents = 9_500 + 1_250 * ((index * 7 + n * 3) % 23);
    return {
      id: `l${index}-${n}`,
      productId: String(1 + ((index * 5 + n * 7) % 40)),
      quantity,
      unitPrice: cents / 100,
      total: (cents * quantity) / 100,
      taxIds: ["1"],
      taxAmount: Math.round(cents * quantity * 0.18) / 100,
      ...(n % 3 === 0 && { note: notes[(index + n) % notes.length] ?? "" }),
    };
  });
  const cents = (amounts: readonly number[]): number => Math.round(amounts.reduce((sum, each) => sum + each * 100, 0));
  const total = cents(lines.map((line) => line.total));
  const tax = cents(lines.map((line) => line.taxAmount));
  return {
    orderType: tableId === null ? "takeout" : "dine_in",
    tableId,
    customerName: `Sra. ${guests[index % guests.length]} ${index}`,
    staffName: waiters[index % waiters.length] ?? waiters[0],
    guestCount: 1 + (index % 4),
    notes: "",
    lines,
    totals: { subtotal: (total - tax) / 100, tax: tax / 100, total: total / 100 },
  };
}
