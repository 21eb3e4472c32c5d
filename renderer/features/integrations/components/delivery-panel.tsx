import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { DeliveryState, type OperatorDelivery } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Ago } from "../../../components/age.tsx";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { VirtualTable, type Column } from "../../../components/virtual-table.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useDeliveries } from "../api/deliveries.ts";
import { useWebhooks } from "../api/webhooks.ts";
import { deliveryTone } from "../delivery-tone.ts";
import { DeadLetterPanel } from "./dead-letter-panel.tsx";
import { DeliveryView } from "./delivery-view.tsx";
import "./integrations.css";

/** Every notification that was sent or is to be sent. */
export function DeliveryPanel() {
  const { t } = useTranslation("integrations");
  const [search, setSearch] = useState("");
  const [typed] = useDebouncedValue(search.trim(), 250);
  const [state, setState] = useState<string | null>(null);
  const [webhookId, setWebhookId] = useState<string | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const webhooks = useWebhooks();
  const chosen = DeliveryState.safeParse(state);
  const deliveries = useDeliveries({
    ...(typed === "" ? {} : { search: typed }),
    ...(chosen.success ? { state: chosen.data } : {}),
    ...(webhookId === null ? {} : { webhookId }),
  });
  const columns = useColumns(setShown);
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const first = deliveries.data?.pages[0];
  return (
    <div className="stack">
      <DeadLetterPanel />
      <Panel title={t("deliveries")} about={t("deliveriesAbout")} flush>
        <div className="delivery-tools">
          <TextInput
            aria-label={t("search")}
            placeholder={t("search")}
            type="search"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Select
            aria-label={t("filterState")}
            placeholder={t("anyState")}
            value={state}
            onChange={setState}
            clearable
            data={DeliveryState.options.map((value) => ({ value, label: t(`delivery.${value}`) }))}
          />
          <Select
            aria-label={t("filterWebhook")}
            placeholder={t("anyWebhook")}
            value={webhookId}
            onChange={setWebhookId}
            clearable
            data={(webhooks.data?.webhooks ?? []).map(({ id, url }) => ({ value: id, label: url }))}
          />
        </div>
        {deliveries.error !== null && (
          <ErrorNotice error={deliveries.error} onRetry={() => void deliveries.refetch()} />
        )}
        {deliveries.data !== undefined && rows.length === 0 ? (
          <Empty title={t("noDeliveriesTitle")}>{t("noDeliveries")}</Empty>
        ) : (
          <VirtualTable
            label={t("deliveries")}
            columns={columns}
            rows={rows}
            rowKey={(delivery) => String(delivery.id)}
            onOpen={(delivery) => setShown(delivery.id)}
            onEnd={
              deliveries.hasNextPage && !deliveries.isFetchingNextPage
                ? () => void deliveries.fetchNextPage()
                : undefined
            }
            total={first?.totalIsCapped === true ? rows.length : (first?.total ?? 0)}
            height="calc(100dvh - 420px)"
          />
        )}
      </Panel>
      {shown !== null && <DeliveryView deliveryId={shown} onClose={() => setShown(null)} />}
    </div>
  );
}

function useColumns(onShow: (id: number) => void): Column<OperatorDelivery>[] {
  const { t } = useTranslation(["integrations", "common"]);
  const format = useFormat();
  return [
    {
      id: "id",
      header: "#",
      width: "80px",
      cell: (delivery) => (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t("open", { id: delivery.id })}
          onClick={() => onShow(delivery.id)}
        >
          {delivery.id}
        </Button>
      ),
    },
    { id: "event", header: t("events"), width: "130px", cell: (delivery) => delivery.event },
    { id: "subject", header: t("subject"), width: "minmax(140px, 1fr)", cell: (delivery) => delivery.subject },
    { id: "url", header: t("filterWebhook"), width: "minmax(160px, 1.4fr)", cell: (delivery) => delivery.url },
    {
      id: "state",
      header: t("state"),
      width: "140px",
      cell: (delivery) => (
        <StatusMark tone={deliveryTone[delivery.state]}>{t(`delivery.${delivery.state}`)}</StatusMark>
      ),
    },
    {
      id: "answer",
      header: t("answer"),
      width: "minmax(110px, 1fr)",
      cell: (delivery) =>
        delivery.lastStatus ?? (delivery.lastError === null ? "–" : t(`common:webhookError.${delivery.lastError}`)),
    },
    { id: "tries", header: t("tries"), width: "70px", align: "right", cell: (delivery) => delivery.attempts },
    {
      id: "when",
      header: t("when"),
      width: "110px",
      align: "right",
      cell: (delivery) => <Ago at={delivery.createdAt} />,
    },
    {
      id: "next",
      header: t("next"),
      width: "100px",
      align: "right",
      cell: (delivery) => (delivery.nextAttemptAt === null ? "–" : format.time(delivery.nextAttemptAt)),
    },
  ];
}
