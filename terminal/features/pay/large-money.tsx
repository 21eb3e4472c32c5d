import { useFormat } from "@comanda/ui/format.ts";
import type { CSSProperties } from "react";

/** An amount that is read from afar: as large as there is room for all of its digits. */
export function LargeMoney({ amount, className }: { amount: number; className?: string }) {
  const text = useFormat().money(amount);
  return (
    <strong className={`large-money ${className ?? ""}`} style={{ "--signs": text.length } as CSSProperties}>
      {text}
    </strong>
  );
}
