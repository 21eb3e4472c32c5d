import type { Translate } from "@comanda/ui/translation.ts";
import type { Format } from "@comanda/ui/format.ts";
import { isThisComputer } from "../../lib/this-computer.ts";
import type { Situation } from "./situation.ts";

/** The sentence of a situation, and what it means for service. */
export function describeSituation(situation: Situation, t: Translate<"status">, format: Format, now: number) {
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
    case "keptChanges":
    case "losses":
    case "proposals":
    case "attention":
    case "numbersRefused":
    case "receipts":
    case "webhooksDead":
    case "webhooksPaused":
      return describe({ count: situation.count });
    case "backOfficeDown":
    case "internetDown":
      return describe({ duration: lasting(situation.since), count: situation.pending });
    case "setAside":
      return describe({ count: situation.count, when: format.upcoming(situation.until, now) });
    case "arriving":
    case "arrived": {
      const { count, lasted } = situation;
      const left = situation.name === "arriving" ? situation.left : 0;
      return describe({ count, left, duration: format.age(lasted) });
    }
    case "backOfficeNeverReached": {
      const { address } = situation;
      const says = t("says.backOfficeNeverReached");
      if (address === null) return { says, means: t("means.backOfficeNeverReached") };
      // On the hub's computer a program has to be started; elsewhere the address or the way to it is at fault.
      const place = isThisComputer(address) ? "here" : "there";
      return { says, means: t(`means.backOfficeNeverReached_${place}`, { address }) };
    }
    case "unsent":
    case "unsentMoney": {
      const { terminals, pending, payments, oldestAt } = situation;
      return describe({ count: terminals, pending, payments, duration: lasting(oldestAt) });
    }
    case "secondFolderFails":
      return describe({ duration: lasting(situation.since) });
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
    case "notRead":
    case "noTerminals":
    case "closed":
    case "diskLow":
    case "devAuth":
    case "contingency":
    case "hubModeOff":
    case "refused":
    case "notConfigured":
    case "signedOut":
    case "backupFails":
    case "noBackup":
      return describe({});
  }
}
