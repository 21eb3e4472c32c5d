import { settingRow, type SettingName } from "@comanda/protocol";
import { useAmountText } from "@comanda/ui/setting-hints.ts";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { readStations } from "../../lib/stations.ts";

type LogLevelName = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

/** Returns a function that describes a setting's value with its unit. The value is as written in the environment. */
export function useSettingValue(): (name: SettingName, value: string) => string {
  const { t, format } = useTranslation(["setting", "common"]);
  const amountText = useAmountText();
  return (name, value) => {
    if (value === "") return "–";
    const { input } = settingRow(name);
    switch (input.kind) {
      case "stations":
        return (
          readStations(value)
            .map((station) => station.name)
            .join(", ") || "–"
        );
      case "shares":
        return readShares(value)
          .map(([who, share]) => `${knownText(t, `shares.${who}`) ?? who} ${format.number(share)} %`)
          .join(", ");
      case "flag":
        return t(isOn(name, value) ? "common:yes" : "common:no");
      case "choice":
        return t(`logLevel.${value as LogLevelName}`);
      case "list":
        return value.split(",").join(", ");
      case "duration":
      case "days":
      case "money":
      case "number":
        return amountText(input.kind, Number(value));
      case "port":
      case "text":
      case "address":
        return value;
    }
  };
}

function readShares(value: string): [string, number][] {
  const { data } = settingRow("HUB_TIP_SHARES").schema.safeParse(value);
  return Object.entries((data ?? {}) as Record<string, number>);
}

/** Whether a switch is on, by the values that the hub's parser accepts. */
export function isOn(name: SettingName, value: string): boolean {
  return settingRow(name).schema.safeParse(value).data === true;
}
