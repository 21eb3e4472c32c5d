import type { Station } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { changeKitchenDevice } from "./kitchen-device.ts";

/** Whose tickets this device shows. */
export function StationChoice({ stations, chosen }: { stations: readonly Station[]; chosen: string | null }) {
  const { t } = useTranslation("kitchen");
  if (stations.length < 2) return null;
  return (
    <fieldset className="kitchen-stations" aria-label={t("station")}>
      {[{ id: null, name: t("allStations") }, ...stations].map(({ id, name }) => (
        <ActButton
          key={id ?? ""}
          size="small"
          aria-pressed={id === chosen}
          onAct={() => changeKitchenDevice({ stationId: id })}
        >
          {name}
        </ActButton>
      ))}
    </fieldset>
  );
}
