import { useTranslation } from "@comanda/ui/translation.ts";
import texts from "./texts.json" with { type: "json" };

/** What an event is called that other systems are told of; one that this page does not know yet goes by its own name. */
export function useEventLabel(): (event: string) => string {
  const { t } = useTranslation("common");
  return (event) => (isEvent(event) ? t(`webhookEvent.${event}`) : event);
}

function isEvent(event: string): event is keyof typeof texts.webhookEvent {
  return Object.hasOwn(texts.webhookEvent, event);
}

/** Whether a receiver took what it was sent. */
export function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
