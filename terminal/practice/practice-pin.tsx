import { createStore, useStore } from "@comanda/ui/store.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** Everybody's PIN in the practice; null outside of it. */
export const practicePin = createStore<string | null>(null);

/** Says it where a PIN is asked for; nothing outside of the practice. */
export function PracticePin() {
  const { t } = useTranslation("training");
  const pin = useStore(practicePin);
  return pin !== null && <p className="practice-pin">{t("pin", { pin })}</p>;
}
