import type { ClosingReport, OrderPlace } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useMethodName, useOrderLabels } from "../../components/labels.ts";
import { useHub } from "../../lib/hub.ts";

type Terminal = ClosingReport["unsentTerminals"][number];
type Gap = ClosingReport["notInAccounting"][number];

/** Returns the sentences of the closing, the same on screen and on paper. Ages count to `now`, in ms since 1970. */
export function useClosingTexts() {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const labels = useOrderLabels();
  const method = useMethodName();
  const link = useHub("backOffice").data?.state ?? "reachable";
  const ageOf = (at: string, now: number) => format.age(now - Date.parse(at));

  /** Says what happens to queued orders in the back-office's current state. */
  function queued(): "queue" | "queue_offline" | "queue_stopped" {
    if (link === "refused" || link === "not_configured") return "queue_stopped";
    return link === "unreachable" ? "queue_offline" : "queue";
  }

  return {
    /** Names a check by its place, or by its reference if the hub does not know the place. */
    check: ({ place, posReference }: { place: OrderPlace | null; posReference: string }) =>
      place === null ? posReference : labels.place(place),

    /** Sorts checks by the name of their place, with numbers in numeric order. */
    sortByPlace<T extends ClosingReport["openChecks"][number]>(checks: readonly T[]): T[] {
      const name = ({ place }: T) => labels.place(place);
      return checks.toSorted((one, other) => name(one).localeCompare(name(other), undefined, { numeric: true }));
    },

    method,

    /** For example: 3 unsent changes, for 8 min · 1 payment of RD$1,450.00 · Wendy Almonte */
    unsent({ userName, pending, oldestAt, payments, amount }: Terminal, now: number): string {
      const changes = t("common:unsentChanges", { count: pending });
      const parts = [
        pending > 0 && (oldestAt === null ? changes : t("unsentSince", { changes, age: ageOf(oldestAt, now) })),
        ((payments ?? 0) > 0 || (amount ?? 0) !== 0) &&
          t("common:unsentMoney", { count: payments ?? 0, amount: format.money(amount ?? 0) }),
        userName,
      ];
      return parts.filter(Boolean).join(" · ");
    },

    /** Says how many orders wait, for what and since when, and what has to happen. */
    gap({ waitsFor, orders, amount, oldestAt }: Gap, now: number): string {
      const key = waitsFor === "queue" ? queued() : waitsFor;
      return t(`waits.${key}`, { count: orders, amount: format.money(amount), age: ageOf(oldestAt, now) });
    },
  };
}

export function sumOf(gaps: ClosingReport["notInAccounting"]): number {
  return gaps.reduce((sum, { orders }) => sum + orders, 0);
}
