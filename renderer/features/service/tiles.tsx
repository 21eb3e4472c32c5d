import type { Overview } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Tile } from "../../components/layout/tile.tsx";
import { useNow } from "@comanda/ui/use-now.ts";

/** The few numbers that matter, each with its unit and age, each a link to its screen. */
export function Tiles({ overview }: { overview: Overview }) {
  const { t, format } = useTranslation("service");
  const { orders, detail } = overview;
  return (
    <section className="tiles" aria-label={t("tiles")}>
      <TerminalTile overview={overview} />
      <TableTile overview={overview} />
      <Tile
        name={t("checks")}
        value={format.number(orders.active)}
        note={
          detail === undefined
            ? t("checksNote", { sent: orders.sent + orders.changed, checkout: orders.checkout })
            : t("openTotalNote", { amount: format.moneyShort(detail.openTotal - detail.openPaid) })
        }
        tone="idle"
        to="/orders"
      />
      {detail !== undefined && (
        <Tile
          name={t("paidTotal")}
          value={format.moneyShort(detail.paidTotal)}
          note={
            detail.notYetInAccounting > 0
              ? t("paidTotalNote", { amount: format.moneyShort(detail.notYetInAccounting) })
              : t("paidTotalDone")
          }
          tone="idle"
          to="/back-office/closing"
        />
      )}
      <KitchenTile overview={overview} />
      <QueueTile overview={overview} />
      <WebhookTile overview={overview} />
    </section>
  );
}

interface Props {
  overview: Overview;
}

function TerminalTile({ overview: { terminals } }: Props) {
  const { t, format } = useTranslation(["service", "common"]);
  const { unsent } = terminals;
  const note =
    unsent.pending > 0
      ? t("common:unsentChanges", { count: unsent.pending })
      : terminals.away > 0
        ? t("terminalsAway", { count: terminals.away })
        : t("allHere");
  const tone = unsent.pending > 0 ? "warn" : "idle";
  return (
    <Tile name={t("terminals")} value={format.number(terminals.connected)} note={note} tone={tone} to="/terminals" />
  );
}

function TableTile({ overview: { tables, sessionOpen } }: Props) {
  const { t, format } = useTranslation("service");
  const { occupied, reserved, total } = tables;
  if (total > 0) {
    const note = t("tablesNote", { count: reserved, total });
    return <Tile name={t("tables")} value={format.number(occupied)} note={note} tone="idle" />;
  }
  return <Tile name={t("tables")} value="–" note={t(sessionOpen === null ? "tablesUnread" : "noTables")} tone="idle" />;
}

function KitchenTile({ overview: { kitchen } }: Props) {
  const { t, format } = useTranslation(["service", "common"]);
  const now = useNow();
  const age = kitchen.oldestAt === null ? "" : format.age(now - Date.parse(kitchen.oldestAt));
  const parts = [
    kitchen.late > 0 ? t("kitchenLate", { count: kitchen.late }) : "",
    kitchen.unseen > 0 ? t("common:notSeen", { count: kitchen.unseen }) : "",
  ].filter((part) => part !== "");
  const note = parts.length > 0 ? parts.join(" · ") : kitchen.open > 0 ? t("queueOldest", { age }) : t("kitchenClear");
  return (
    <Tile
      name={t("kitchen")}
      value={format.number(kitchen.open)}
      note={note}
      tone={kitchen.late > 0 ? "warn" : "idle"}
      to="/kitchen"
    />
  );
}

function QueueTile({ overview: { forward } }: Props) {
  const { t, format } = useTranslation(["service", "common"]);
  const now = useNow();
  const age = forward.oldestAt === null ? "" : format.age(now - Date.parse(forward.oldestAt));
  const note = (): string => {
    if (forward.attention > 0) return t("common:needAttention", { count: forward.attention });
    if (forward.pending === 0) return t("common:allSent");
    if (forward.pending === forward.waitingForNumber) return t("queueNumbers", { count: forward.pending });
    const { estimateMs } = forward;
    const estimate = estimateMs === null ? "" : ` · ${t("queueEstimate", { duration: format.duration(estimateMs) })}`;
    return t("queueOldest", { age }) + estimate;
  };
  const old = forward.oldestAt !== null && now - Date.parse(forward.oldestAt) > 60_000;
  const tone = forward.attention > 0 ? "bad" : old ? "warn" : "idle";
  return <Tile name={t("queue")} value={format.number(forward.pending)} note={note()} tone={tone} to="/back-office" />;
}

function WebhookTile({ overview: { webhooks } }: Props) {
  const { t, format } = useTranslation(["service", "integrations"]);
  const now = useNow();
  if (webhooks === null)
    return <Tile name={t("integrations:tabs.webhooks")} value="–" note={t("webhooksOff")} tone="idle" />;
  const age = webhooks.oldestAt === null ? "" : format.age(now - Date.parse(webhooks.oldestAt));
  const note = webhooks.paused
    ? t("webhooksPaused")
    : webhooks.deadLettered > 0
      ? t("webhooksDead", { count: webhooks.deadLettered })
      : webhooks.pending > 0
        ? t("queueOldest", { age })
        : t("webhooksClear");
  const tone = webhooks.deadLettered > 0 || webhooks.paused ? "warn" : "idle";
  return (
    <Tile
      name={t("integrations:tabs.webhooks")}
      value={format.number(webhooks.pending)}
      note={note}
      tone={tone}
      to="/integrations"
    />
  );
}
