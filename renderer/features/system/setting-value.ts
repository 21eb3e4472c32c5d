import { settingRow, splitDuration, type SettingInput, type SettingName } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { readStations } from "../../lib/stations.ts";

type LogLevelName = "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";

/** Puts the value of a setting, as it is written in the environment, into words with its unit. */
export function useSettingValue(): (name: SettingName, value: string) => string {
  const { t } = useTranslation(["system", "common"]);
  const format = useFormat();
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
      // A port is a name, not an amount.
      case "port":
      case "text":
      case "address":
        return value;
    }
  };

  function amountText(kind: SettingInput["kind"], amount: number): string {
    if (Number.isNaN(amount)) return "–";
    if (kind === "duration") {
      const { amount: count, unit } = splitDuration(amount);
      return t(`lasts.${unit}`, { count, amount: format.number(count) });
    }
    if (kind === "days") return t("lasts.days", { count: amount, amount: format.number(amount) });
    return kind === "money" ? format.money(amount) : format.number(amount);
  }
}

/** Whether a switch stands on, by the words that the hub's parser takes for it. */
export function isOn(name: SettingName, value: string): boolean {
  return settingRow(name).schema.safeParse(value).data === true;
}

/** What a value must be, in one sentence; null where anything goes. */
export function useSettingHint(): (name: SettingName) => string | null {
  const { t } = useTranslation("system");
  const valueText = useSettingValue();
  return (name) => {
    const { input } = settingRow(name);
    switch (input.kind) {
      case "number":
      case "port":
      case "money":
      case "days":
      case "duration":
        return t("hint.range", { min: valueText(name, String(input.min)), max: valueText(name, String(input.max)) });
      case "address":
      case "list":
        return t(`hint.${input.kind}`);
      case "text":
        return name === "HUB_TIME_ZONE" ? t("hint.timeZone") : null;
      case "choice":
      case "flag":
      case "stations":
        return null;
    }
  };
}
