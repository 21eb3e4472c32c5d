import { useMemo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useHub } from "../lib/hub.ts";

/** Says whose time the screens show, to a reader whose own clock shows another. */
export function ZoneNote() {
  const { t } = useTranslation("shell");
  const timeZone = useHub("overview").data?.hub.timeZone;
  const isElsewhere = useMemo(() => timeZone !== undefined && offsetOf(timeZone) !== offsetOf(undefined), [timeZone]);
  if (timeZone === undefined || !isElsewhere) return null;
  return <p className="zone-note soft">{t("restaurantTime", { place: placeOf(timeZone) })}</p>;
}

/** "Santo Domingo" of `America/Santo_Domingo`. */
function placeOf(timeZone: string): string {
  return (timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " ");
}

/** How a zone's clock differs from UTC at this moment, such as `GMT-4`. */
function offsetOf(timeZone: string | undefined): string | undefined {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).formatToParts();
  return parts.find(({ type }) => type === "timeZoneName")?.value;
}
