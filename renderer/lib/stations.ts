import { Stations, type Setting, type Station } from "@comanda/protocol";
import { useMemo } from "react";
import { useHub } from "./hub.ts";
import { parseJson } from "./parse-json.ts";

/** The setting with the stations of the kitchen; undefined until it is read. */
export function useStationSetting(): Setting | undefined {
  return useHub("settings").data?.settings.find(({ name }) => name === "HUB_STATIONS");
}

/** The stations as they are set. */
export function useStations(): readonly Station[] {
  const text = useStationSetting()?.value ?? "";
  return useMemo(() => readStations(text), [text]);
}

/** The stations in the text of the setting; none where it cannot be read. */
export function readStations(text: string): Station[] {
  return Stations.safeParse(parseJson(text)).data ?? [];
}
