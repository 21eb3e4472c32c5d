import type { OperatorWebhook } from "@comanda/protocol";
import type { Format } from "../../lib/format.ts";
import { integrationsTexts } from "./texts.ts";

/** Which events a subscription wants, in words. Looked up directly: the names hold dots, which mean something else to the translator. */
export function eventWords(events: OperatorWebhook["events"], language: string, format: Format): string {
  const texts = integrationsTexts[language === "en" ? "en" : "es"];
  const named = events.filter((event) => event !== "*");
  if (named.length === 0 || named.length < events.length) return texts.allEvents;
  return format.list(named.map((event) => texts.event[event]));
}
