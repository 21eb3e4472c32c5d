import type { Station } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useStations } from "../../lib/stations.ts";

/** Returns the stations that routes name. A restaurant without stations has one kitchen. */
export function useRoutedStations(): readonly Pick<Station, "id" | "name">[] {
  const { t } = useTranslation("printers");
  const stations = useStations();
  return stations.length === 0 ? [{ id: "kitchen", name: t("theKitchen") }] : stations;
}
