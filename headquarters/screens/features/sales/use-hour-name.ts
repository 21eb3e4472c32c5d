import { useTranslation } from "@comanda/ui/translation.ts";
import { zonedTime } from "@comanda/ui/zoned-time.ts";
import { useTimeZone } from "../../lib/cache.ts";

/** How an hour of the clock is called, which is alike everywhere. */
export function useHourName(): (hour: number) => string {
  const { format } = useTranslation("sales");
  const timeZone = useTimeZone();
  return (hour) =>
    format.hour(new Date(zonedTime(`2026-01-15T${String(hour).padStart(2, "0")}:00`, timeZone)).toISOString());
}
