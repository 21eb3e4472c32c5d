import { splitDuration, type SettingInput, type SettingName } from "@comanda/protocol";
import { useFormat } from "./format.ts";
import { useTranslation } from "./translation.ts";

/** Returns a function that describes the amount of a setting, with its unit. */
export function useAmountText(): (kind: SettingInput["kind"], amount: number) => string {
  const { t } = useTranslation("setting");
  const format = useFormat();
  return (kind, amount) => {
    if (Number.isNaN(amount)) return "–";
    // A port is a name, not an amount.
    if (kind === "port") return String(amount);
    if (kind === "days") return t("lasts.days", { count: amount, amount: format.number(amount) });
    if (kind === "money") return format.money(amount);
    if (kind !== "duration") return format.number(amount);
    const { amount: count, unit } = splitDuration(amount);
    return t(`lasts.${unit}`, { count, amount: format.number(count) });
  };
}

/** Returns a function that says in one sentence what a value must be, or null if every value is allowed. */
export function useSettingHint(): (name: SettingName, input: SettingInput) => string | null {
  const { t } = useTranslation("setting");
  const amountText = useAmountText();
  return (name, input) => {
    switch (input.kind) {
      case "number":
      case "port":
      case "money":
      case "days":
      case "duration":
        return t("hint.range", { min: amountText(input.kind, input.min), max: amountText(input.kind, input.max) });
      case "address":
      case "list":
      case "shares":
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
