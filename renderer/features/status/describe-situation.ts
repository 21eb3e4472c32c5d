import type { TFunction } from "i18next";
import type { Format } from "../../lib/format.ts";
import type { Situation } from "./situation.ts";

/** The sentence of a situation, and what it means for service. */
export function describeSituation(situation: Situation, t: TFunction<"status">, format: Format, now: number) {
  const lasting = (at: string | null) => format.age(at === null ? 0 : now - Date.parse(at));
  const key = situation.name === "dataFile" ? (`dataFile_${situation.problem}` as const) : situation.name;
  const describe = (values: Record<string, string | number>) => ({
    says: t(`says.${key}`, values),
    means: t(`means.${key}`, values),
  });
  switch (situation.name) {
    case "lost":
      return describe({ time: format.timeExact(new Date(situation.since).toISOString()) });
    case "unappliedPayments":
    case "losses":
    case "attention":
    case "numbersRefused":
    case "webhooksDead":
      return describe({ count: situation.count });
    case "backOfficeDown":
      return describe({ duration: lasting(situation.since), count: situation.pending });
    case "unsent":
    case "unsentMoney": {
      const { terminals, pending, payments, oldestAt } = situation;
      return describe({ count: terminals, pending, payments, duration: lasting(oldestAt) });
    }
    case "numbersUsedUp":
      return describe({ types: format.list(situation.types) });
    case "numbersLow":
      return describe({ type: situation.type, left: format.number(situation.left) });
    case "numbersExpiring":
      return describe({ type: situation.type, day: format.date(situation.expiresOn) });
    case "kitchenUnseen":
      return describe({ count: situation.count, duration: lasting(situation.oldestAt) });
    case "good": {
      const { terminals: count, lastSyncAt } = situation;
      const says =
        lastSyncAt === null
          ? t("says.good", { count })
          : t("says.goodSync", { count, ago: format.ago(lastSyncAt, now) });
      return { says, means: "" };
    }
    case "dataFile":
    case "connecting":
    case "noTerminals":
    case "closed":
    case "diskLow":
    case "devAuth":
    case "hubModeOff":
    case "refused":
    case "notConfigured":
    case "signedOut":
    case "backupFails":
    case "noBackup":
      return describe({});
  }
}
