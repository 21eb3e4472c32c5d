import { fromCents } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { useState, type ReactNode } from "react";
import { Sheet } from "../../components/sheet.tsx";
import { Keypad } from "../../components/keypad.tsx";
import { typeAmount, typedCents } from "../../components/typed-amount.ts";

/** Asks for an amount; `acts` renders the acts for it, given in cents. */
export function AmountSheet({
  title,
  first = "",
  moneyOf,
  onClose,
  acts,
}: {
  title: string;
  /** Text typed before the sheet opened. */
  first?: string;
  /** Formats an amount in another currency. */
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
