import type { ClosingReport, OrderPlace } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useMethodName, useOrderLabels } from "../../components/labels.ts";
import { useHub } from "../../lib/hub.ts";

type Terminal = ClosingReport["unsentTerminals"][number];
type Gap = ClosingReport["notInAccounting"][number];

/** The sentences of the closing, the same on the screen and on paper; `now` is what ages are counted to, ms since 1970. */
export function useClosingWords() {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const labels = useOrderLabels();
  const method = useMethodName();
  const link = useHub("backOffice").data?.state ?? "reachable";
  const ageOf = (at: string, now: number) => format.age(now - Date.parse(at));

  /** What becomes of orders in the queue while the back-office is as it is. */
  function queued(): "queue" | "queue_offline" | "queue_stopped" {
    if (link === "refused" || link === "not_configured") return "queue_stopped";
    return link === "unreachable" ? "queue_offline" : "queue";
  }

  return {
    /** What people call a check: its place, or its reference where the hub does not know that. */
    check: ({ place, posReference }: { place: OrderPlace | null; posReference: string }) =>
      place === null ? posReference : labels.place(place),

    /** Checks in the order in which somebody walks through the room. */
    inOrder<T extends ClosingReport["openChecks"][number]>(checks: readonly T[]): T[] {
      const name = ({ place }: T) => labels.place(place);
      return checks.toSorted((one, other) => name(one).localeCompare(name(other), undefined, { numeric: true }));
    },

    method,

    /** 3 unsent changes, for 8 min · 1 payment of RD$1,450.00 · Wendy Almonte */
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

    /** How many orders wait for what, since when, and what has to happen. */
    gap({ waitsFor, orders, amount, oldestAt }: Gap, now: number): string {
      const key = waitsFor === "queue" ? queued() : waitsFor;
      return t(`waits.${key}`, { count: orders, amount: format.money(amount), age: ageOf(oldestAt, now) });
    },
  };
}

export function sumOf(gaps: ClosingReport["notInAccounting"]): number {
  return gaps.reduce((sum, { orders }) => sum + orders, 0);
}
