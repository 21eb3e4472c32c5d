import { fromCents } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { useState, type ReactNode } from "react";
import { Sheet } from "../../components/sheet.tsx";
import { Keypad } from "../../components/keypad.tsx";
import { typeAmount, typedCents } from "../../components/typed-amount.ts";

/** Asks for an amount; `acts` offers what can be done with it, in cents. */
export function AmountSheet({
  title,
  first = "",
  moneyOf,
  onClose,
  acts,
}: {
  title: string;
  /** What was typed before it opened. */
  first?: string;
  /** How the amount is written, where it is in another currency. */
  moneyOf?: (amount: number) => string;
  onClose: () => void;
  acts: (cents: number) => ReactNode;
}) {
  const format = useFormat();
  const [typed, setTyped] = useState(first);
  const cents = typedCents(typed);
  return (
    <Sheet title={title} onClose={onClose}>
      <div className="stack amount-sheet">
        <output className="amount-typed money">{(moneyOf ?? format.money)(fromCents(cents))}</output>
        <Keypad hasPoint onKey={(key) => setTyped(typeAmount(typed, key))} />
        <div className="pay-grid">{acts(cents)}</div>
      </div>
    </Sheet>
  );
}
