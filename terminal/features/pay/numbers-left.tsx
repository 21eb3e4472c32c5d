import type { NcfSequenceStatus } from "@comanda/protocol";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLive } from "../../lib/connection/pos.ts";

/** Returns the hub's warning about the numbers of a type; null if they are neither running out nor expiring. */
export function useScarceNumbers(type: string | undefined): NcfSequenceStatus | null {
  return useLive("hubStatus")?.fiscalNumbers?.find((sequence) => sequence.type === type) ?? null;
}

/** A sentence that says how many numbers of a type are left. */
export function NumbersLeft({ numbers }: { numbers: NcfSequenceStatus }) {
  const { t, format } = useTranslation("pay");
  const { state, left, expiresOn } = numbers;
  const isUnusable = state === "used_up" || state === "expired";
  const date = expiresOn === null ? "" : format.date(expiresOn);
  return (
    <p className="row fiscal-left" data-tone={isUnusable ? "bad" : "warn"}>
      <IconAlertTriangle size={20} aria-hidden />
      {state === "used_up" && t("numbersUsedUp")}
      {state === "expired" && t("numbersExpired", { date })}
      {state === "expiring" && t("numbersExpiring", { date, count: left })}
      {state === "low" && t("numbersLow", { count: left })}
    </p>
  );
}
