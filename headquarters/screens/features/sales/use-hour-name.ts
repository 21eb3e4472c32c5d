import { useTranslation } from "@comanda/ui/translation.ts";
import { zonedTime } from "@comanda/ui/zoned-time.ts";
import { useTimeZone } from "../../lib/cache.ts";

/** Returns a function that names an hour of the clock (0 to 23). */
export function useHourName(): (hour: number) => string {
  const { format } = useTranslation("sales");
  const timeZone = useTimeZone();
  return (hour) =>
    format.hour(new Date(zonedTime(`2026-01-15T${String(hour).padStart(2, "0")}:00`, timeZone)).toISOString());
}
