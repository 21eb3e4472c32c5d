/** A plain line as the benches write it; the total includes 18 % tax. */
export interface BenchLine {
  id: string;
  productId: string;
  quantity: number;
  unitPrice: number;
  total: number;
  taxIds: string[];
  taxAmount: number;
  note?: string;
}

/** Returns a line at `cents` each, tax included. */
export function benchLine(id: string, product: number, quantity: number, cents: number, note?: string): BenchLine {
  return {
    id,
    productId: String(product),
    quantity,
    unitPrice: cents / 100,
    total: (cents * quantity) / 100,
    taxIds: ["1"],
    taxAmount: Math.round(cents * quantity * 0.18) / 100,
    ...(note !== undefined && { note }),
  };
}

export function benchTotals(lines: readonly BenchLine[]): { subtotal: number; tax: number; total: number } {
  const total = cents(lines.map((line) => line.total));
  const tax = cents(lines.map((line) => line.taxAmount));
  return { subtotal: (total - tax) / 100, tax: tax / 100, total: total / 100 };
}

function cents(amounts: readonly number[]): number {
  return Math.round(amounts.reduce((sum, each) => sum + each * 100, 0));
}
