import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";

export const USUAL_PARTY = 2;
const MOST_KEYS = 12;

/** How many guests there are, a key for each number. */
export function GuestCount({ count: chosen, onCount }: { count: number; onCount: (count: number) => void }) {
  const { t } = useTranslation("host");
  return (
    <fieldset className="seat-guests">
      <legend>{t("howMany")}</legend>
      {Array.from({ length: Math.max(MOST_KEYS, chosen) }, (_, index) => index + 1).map((count) => (
        <ActButton key={count} aria-pressed={count === chosen} onAct={() => onCount(count)}>
          {count}
        </ActButton>
      ))}
    </fieldset>
  );
}
