import type { Overview } from "@comanda/protocol";
import type { ComponentProps } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Tile } from "../../components/layout/tile.tsx";
import { useNow } from "../../lib/hub-time.ts";

/** The key figures, each with its unit and age, and a link to its screen. */
export function Tiles({ overview }: { overview: Overview }) {
  const { t } = useTranslation("service");
  return (
    <section className="chips tiles" aria-label={t("tiles")}>
      {useTiles(overview).map((tile) => (
        <Tile key={tile.name} {...tile} />
      ))}
    </section>
  );
}

function useTiles({ terminals, tables, sessionOpen, orders, detail, kitchen, forward, webhooks }: Overview) {
  const { t, format } = useTranslation(["service", "common", "integrations"]);
  const now = useNow();
  const waiting = (at: string | null) => t("queueOldest", { age: at === null ? "" : format.age(now - Date.parse(at)) });

  function terminalNote(): string {
    if (terminals.unsent.pending > 0) return t("common:unsentChanges", { count: terminals.unsent.pending });
    return terminals.away > 0 ? t("terminalsAway", { count: terminals.away }) : t("allHere");
  }
  function tableNote(): string {
    if (tables.total > 0) return t("tablesNote", { count: tables.reserved, total: tables.total });
    return t(sessionOpen === null ? "tablesUnread" : "noTables");
  }
  function kitchenNote(): string {
    const parts = [
      kitchen.late > 0 && t("kitchenLate", { count: kitchen.late }),
      kitchen.unseen > 0 && t("common:notSeen", { count: kitchen.unseen }),
    ];
    return parts.filter(Boolean).join(" · ") || (kitchen.open > 0 ? waiting(kitchen.oldestAt) : t("kitchenClear"));
  }
  function queueNote(): string {
    const { attention, pending, waitingForNumber, estimateMs, oldestAt } = forward;
    if (attention > 0) return t("common:needAttention", { count: attention });
    if (pending === 0) return t("common:allSent");
    if (pending === waitingForNumber) return t("queueNumbers", { count: pending });
    const estimate = estimateMs !== null && t("queueEstimate", { duration: format.duration(estimateMs) });
    return [waiting(oldestAt), estimate].filter(Boolean).join(" · ");
  }
  function webhookNote(): string {
    if (webhooks === null) return t("webhooksOff");
    if (webhooks.paused) return t("webhooksPaused");
    if (webhooks.deadLettered > 0) return t("webhooksDead", { count: webhooks.deadLettered });
    return webhooks.pending > 0 ? waiting(webhooks.oldestAt) : t("webhooksClear");
  }

  const isQueueOld = forward.oldestAt !== null && now - Date.parse(forward.oldestAt) > 60_000;
  const tiles: (ComponentProps<typeof Tile> | false)[] = [
    {
      name: t("terminals"),
      value: format.number(terminals.connected),
      note: terminalNote(),
      tone: terminals.unsent.pending > 0 ? "warn" : undefined,
      to: "/terminals",
    },
    {
      name: t("tables"),
      value: tables.total > 0 ? format.number(tables.occupied) : "–",
      note: tableNote(),
    },
    {
      name: t("checks"),
      value: format.number(orders.active),
      note:
        detail === undefined
          ? t("checksNote", { sent: orders.sent + orders.changed, checkout: orders.checkout })
          : t("openTotalNote", { amount: format.moneyShort(detail.openTotal - detail.openPaid) }),
      to: "/orders",
    },
    detail !== undefined && {
      name: t("paidTotal"),
      value: format.moneyShort(detail.paidTotal),
      note:
        detail.notYetInAccounting > 0
          ? t("paidTotalNote", { amount: format.moneyShort(detail.notYetInAccounting) })
          : t("paidTotalDone"),
      to: "/back-office/closing",
    },
    {
      name: t("kitchen"),
      value: format.number(kitchen.open),
      note: kitchenNote(),
      tone: kitchen.late > 0 ? "warn" : undefined,
      to: "/kitchen",
    },
    {
      name: t("queue"),
      value: format.number(forward.pending),
      note: queueNote(),
      tone: forward.attention > 0 ? "bad" : isQueueOld ? "warn" : undefined,
      to: "/back-office",
    },
    {
      name: t("integrations:tabs.webhooks"),
      value: webhooks === null ? "–" : format.number(webhooks.pending),
      note: webhookNote(),
      tone: webhooks !== null && (webhooks.deadLettered > 0 || webhooks.paused) ? "warn" : undefined,
      ...(webhooks !== null && { to: "/integrations" }),
    },
  ];
  return tiles.filter((tile) => tile !== false);
}
