import { useTranslation } from "@comanda/ui/translation.ts";
import { Choices } from "@comanda/ui/choices.tsx";

export const USUAL_PARTY = 2;
const MAX_KEYS = 12;

/** Chooses the number of guests, with a button for each. */
export function GuestCount({ count: chosen, onCount }: { count: number; onCount: (count: number) => void }) {
  const { t } = useTranslation(["host", "order"]);
  return (
    <Choices
      legend={t("order:howManyGuests")}
      className="seat-guests"
      of={Array.from({ length: Math.max(MAX_KEYS, chosen) }, (_, index) => index + 1)}
      chosen={chosen}
      onChoose={onCount}
    />
  );
}
