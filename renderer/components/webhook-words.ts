import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** What an event is called that other systems are told of; one that this page does not know yet goes by its own name. */
export function useEventLabel(): (event: string) => string {
  const { t } = useTranslation("common");
  return (event) => knownText(t, `webhookEvent.${event}`) ?? event;
}

/** Whether a receiver took what it was sent. */
export function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
