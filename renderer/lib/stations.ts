import { Stations, type Setting, type Station } from "@comanda/protocol";
import { useMemo } from "react";
import { useHub } from "./hub.ts";
import { parseJson } from "./parse-json.ts";

/** Returns the setting with the stations of the kitchen, or undefined until it is read. */
export function useStationSetting(): Setting | undefined {
  return useHub("settings").data?.settings.find(({ name }) => name === "HUB_STATIONS");
}

/** Returns the stations in the setting. */
export function useStations(): readonly Station[] {
  const text = useStationSetting()?.value ?? "";
  return useMemo(() => readStations(text), [text]);
}

/** Parses the stations in the text of the setting. Returns none if the text is invalid. */
export function readStations(text: string): Station[] {
  return Stations.safeParse(parseJson(text)).data ?? [];
}
