import { WebhookEvent } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";

/** What an event is called that other systems are told of; one that this page does not know yet goes by its own name. */
export function useEventLabel(): (event: string) => string {
  const { t } = useTranslation("common");
  return (event) => {
    const known = WebhookEvent.safeParse(event);
    return known.success ? t(`webhookEvent.${known.data}`) : event;
  };
}

/** Whether a receiver took what it was sent. */
export function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
