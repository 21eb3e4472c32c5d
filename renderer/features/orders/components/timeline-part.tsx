import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { OrderVersion, TimelineEntry } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Confirm } from "../../../components/confirm.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { revertOrder } from "../api/revert.ts";
import { useTimeline } from "../api/timeline.ts";
import { TimelineItem } from "./timeline-item.tsx";

/** Everything that happened to an order, latest first; any earlier version can be brought back. */
export function TimelinePart({ posReference, version }: { posReference: string; version: number | undefined }) {
  const { t } = useTranslation("orders");
  const format = useFormat();
  const timeline = useTimeline(posReference);
  const [chosen, setChosen] = useState<OrderVersion | null>(null);
  return (
    <div className="order-part">
      <h3>{t("timeline")}</h3>
      <Loaded query={timeline} height={240}>
        {({ entries }) => (
          <ol className="timeline">
            {entries.toReversed().map((entry) => (
              <TimelineItem
                key={keyOf(entry)}
                entry={entry}
                action={
                  entry.kind === "version" && version !== undefined && entry.version.version < version ? (
                    <Button variant="subtle" size="compact-xs" onClick={() => setChosen(entry.version)}>
                      {t("revert")}
                    </Button>
                  ) : null
                }
              />
            ))}
          </ol>
        )}
      </Loaded>
      {chosen !== null && version !== undefined && (
        <Confirm
          open
          onClose={() => setChosen(null)}
          title={t("revertTitle", { version: chosen.version })}
          action={t("revertAction", { version: chosen.version })}
          run={async () => {
            await revertOrder(posReference, chosen.version, version);
            notifications.show({ message: t("reverted", { version: chosen.version }), color: "petrol" });
          }}
        >
          {t("revertBody", {
            version: chosen.version,
            time: format.timeExact(chosen.at),
            total: format.money(chosen.total),
          })}
        </Confirm>
      )}
    </div>
  );
}

function keyOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case "version":
      return `version-${entry.version.version}`;
    case "ticket_sent":
      return `sent-${entry.ticketId}`;
    case "ticket_seen":
      return `seen-${entry.ticketId}-${entry.stationId}`;
    case "payment_unapplied":
      return `unapplied-${entry.payment.paymentId}`;
    case "forward":
      return `forward-${entry.at}-${entry.attempt}-${entry.outcome}`;
    case "webhook":
      return `webhook-${entry.deliveryId}-${entry.attempt}-${entry.at}`;
    case "payment":
      return `payment-${entry.at}-${entry.methodId}-${entry.amount}`;
    case "operator":
      return `operator-${entry.at}-${entry.action}`;
  }
}
