import { IconMinus, IconPlus } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Choices } from "@comanda/ui/choices.tsx";

const LAST_KEY = 8;
const KEYS = Array.from({ length: LAST_KEY }, (_, index) => index + 1);
const MAX_GUESTS = 99;

/** Chooses the number of guests: a key for each usual number, and above those in steps of one. */
export function GuestKeys({ count: chosen, onCount }: { count: number; onCount: (count: number) => void }) {
  const { t } = useTranslation("order");
  return (
    <Choices legend={t("howManyGuests")} of={KEYS} chosen={chosen} onChoose={onCount} size="small">
      {chosen > LAST_KEY && (
        <>
          <ActButton size="small" isRepeatable aria-label={t("fewerGuests")} onAct={() => onCount(chosen - 1)}>
            <IconMinus size={20} aria-hidden />
          </ActButton>
          <strong aria-live="polite">{chosen}</strong>
        </>
      )}
      <ActButton
        size="small"
        isRepeatable
        aria-label={t("moreGuests")}
        disabled={chosen >= MAX_GUESTS}
        onAct={() => onCount(Math.max(chosen, LAST_KEY) + 1)}
      >
        <IconPlus size={20} aria-hidden />
      </ActButton>
    </Choices>
  );
}
