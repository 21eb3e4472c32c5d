import { useFormat } from "@comanda/ui/format.ts";
import type { CSSProperties } from "react";

/** An amount as large as all its digits fit, to be read from afar. */
export function LargeMoney({ amount, className }: { amount: number; className?: string }) {
  const text = useFormat().money(amount);
  return (
    <strong className={`large-money ${className ?? ""}`} style={{ "--signs": text.length } as CSSProperties}>
      {text}
    </strong>
  );
}
