import type { TFunction } from "i18next";
import type { Format } from "../../lib/format.ts";
import type { Situation } from "./situation.ts";

export interface Description {
  says: string;
  means: string;
}

type T = TFunction<"status">;

/** The sentence of a situation, and what it means for service. */
export function describeSituation(situation: Situation, t: T, format: Format, now: number): Description {
  const lasting = (at: string | null) => format.age(at === null ? 0 : now - Date.parse(at));
  switch (situation.name) {
    case "lost":
      return {
        says: t("says.lost", { time: format.timeExact(new Date(situation.since).toISOString()) }),
        means: t("means.lost"),
      };
    case "unappliedPayments":
      return { says: t("says.unappliedPayments", { count: situation.count }), means: t("means.unappliedPayments") };
    case "losses":
      return { says: t("says.losses", { count: situation.count }), means: t("means.losses") };
    case "attention":
      return { says: t("says.attention", { count: situation.count }), means: t("means.attention") };
    case "backOfficeDown":
      return {
        says: t("says.backOfficeDown", { duration: lasting(situation.since) }),
        means: t("means.backOfficeDown", { count: situation.pending }),
      };
    case "unsent":
      return {
        says: t("says.unsent", {
          count: situation.terminals,
          pending: situation.pending,
          duration: lasting(situation.oldestAt),
        }),
        means: t("means.unsent"),
      };
    case "kitchenUnseen":
      return {
        says: t("says.kitchenUnseen", { count: situation.count, duration: lasting(situation.oldestAt) }),
        means: t("means.kitchenUnseen"),
      };
    case "webhooksDead":
      return { says: t("says.webhooksDead", { count: situation.count }), means: t("means.webhooksDead") };
    case "good":
      return {
        says:
          situation.lastSyncAt === null
            ? t("says.good", { count: situation.terminals })
            : t("says.goodSync", { count: situation.terminals, ago: format.ago(situation.lastSyncAt, now) }),
        means: "",
      };
    case "dataFile": {
      const { doubt } = situation;
      return { says: t(`says.dataFile_${doubt}`), means: t(`means.dataFile_${doubt}`) };
    }
    case "connecting":
    case "noTerminals":
    case "closed":
    case "diskLow":
    case "devAuth":
    case "refused":
    case "notConfigured":
    case "signedOut":
    case "backupFails":
    case "noBackup":
      return { says: t(`says.${situation.name}`), means: t(`means.${situation.name}`) };
  }
}
