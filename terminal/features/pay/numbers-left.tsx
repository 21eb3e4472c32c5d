import type { NcfSequenceStatus } from "@comanda/protocol";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLive } from "../../lib/connection/pos.ts";

/** What the hub says of the numbers of a type, as long as they run out or expire; null: there are enough of them. */
export function useScarceNumbers(type: string | undefined): NcfSequenceStatus | null {
  return useLive("hubStatus")?.fiscalNumbers?.find((sequence) => sequence.type === type) ?? null;
}

/** How many numbers of a type are left, in a sentence. */
export function NumbersLeft({ numbers }: { numbers: NcfSequenceStatus }) {
  const { t, format } = useTranslation("pay");
  const { state, left, expiresOn } = numbers;
  const isGone = state === "used_up" || state === "expired";
  const date = expiresOn === null ? "" : format.date(expiresOn);
  return (
    <p className="row fiscal-left" data-tone={isGone ? "bad" : "warn"}>
      <IconAlertTriangle size={20} aria-hidden />
      {state === "used_up" && t("numbersUsedUp")}
      {state === "expired" && t("numbersExpired", { date })}
      {state === "expiring" && t("numbersExpiring", { date, count: left })}
      {state === "low" && t("numbersLow", { count: left })}
    </p>
  );
}
