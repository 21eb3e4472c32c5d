import type { Snapshot, StoredLine } from "@comanda/protocol";
import { chargedQuantity, paymentsOf, sum } from "@comanda/rules";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";

interface Check {
  posReference: string;
  snapshot: Pick<
    Snapshot,
    | "tableId"
    | "customerName"
    | "ticketNumber"
    | "orderType"
    | "staffName"
    | "lines"
    | "totals"
    | "payments"
    | "tenders"
  >;
}

interface UnsentTexts {
  /** What the file is, and when it was written. */
  head: readonly string[];
  titleOf(check: Check["snapshot"]): string;
  dishOf(line: StoredLine): string;
  money(amount: number): string;
  total(amount: string): string;
  taken(amount: string): string;
}

/** Returns the unsent changes as plain text, in case the device is lost: each check with its dishes and payments. */
export function unsentFile(
  checks: readonly Check[],
  { head, titleOf, dishOf, money, total, taken }: UnsentTexts,
): string {
  const parts = checks.map(({ posReference, snapshot }) => {
    const payments = paymentsOf(snapshot);
    return [
      joinWithDots(titleOf(snapshot), snapshot.staffName, posReference),
      ...snapshot.lines
        .filter((line) => chargedQuantity(line) !== 0)
        .map((line) => {
          const price = line.total === undefined ? "" : money(line.total);
          return [`  ${chargedQuantity(line)} × ${dishOf(line)}`, price].join("  ").trimEnd();
        }),
      `  ${total(money(snapshot.totals.total))}`,
      ...(payments.length === 0 ? [] : [`  ${taken(money(sum(payments.map(({ amount }) => amount))))}`]),
    ];
  });
  // The byte order mark makes Windows editors show accents.
  return `\uFEFF${[[...head], ...parts].map((lines) => lines.join("\r\n")).join("\r\n\r\n")}\r\n`;
}
