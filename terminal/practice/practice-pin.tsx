import { createStore, useStore } from "@comanda/ui/store.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** The PIN of every user in the practice; null outside. */
export const practicePin = createStore<string | null>(null);

/** Shows the practice's PIN where one is asked for; renders nothing outside. */
export function PracticePin() {
  const { t } = useTranslation("training");
  const pin = useStore(practicePin);
  return pin !== null && <p className="practice-pin">{t("pin", { pin })}</p>;
}
