import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** Returns a function that labels a webhook event. An event that this page does not know keeps its own name. */
export function useEventLabel(): (event: string) => string {
  const { t } = useTranslation("common");
  return (event) => knownText(t, `webhookEvent.${event}`) ?? event;
}

/** Whether the receiver accepted a request, by the HTTP status of its answer. */
export function isAccepted(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
