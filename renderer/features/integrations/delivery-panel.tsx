import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { DeliveryState, type OperatorDelivery } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { FilterSelect } from "../../components/forms/filter-select.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { PagedTable } from "../../components/tables/virtual-table.tsx";
import { useHub, useHubPages } from "../../lib/hub.ts";
import { useChoice } from "../../lib/still-offered.ts";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { deliveryTone, useAnswerText, useNameLabels } from "./webhook-labels.ts";

/** Every notification that was or will be sent. */
export function DeliveryPanel() {
  const { t } = useTranslation(["integrations", "common"]);
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 250);
  const [state, setState] = useState<DeliveryState | null>(null);
  const [shown, setShown] = useState<number | null>(null);
  const webhooks = useHub("webhooks").data?.webhooks;
  const [webhookId, setWebhookId] = useChoice(webhooks?.map(({ id }) => id));
  const filters = {
    ...(search !== "" && { search }),
    ...(state !== null && { state }),
    ...(webhookId !== null && { webhookId }),
  };
  const deliveries = useHubPages("deliveries", filters, (page) => page.deliveries);
  const { first, rows } = deliveries;
  return (
    <Panel title={t("tabs.deliveries")} about={t("deliveriesAbout")} flush>
      <div className="tools">
        <SearchField label={t("search")} value={typed} onChange={setTyped} />
        <FilterSelect
          label={t("common:state")}
          any={t("anyState")}
          value={state}
          onChange={setState}
          data={DeliveryState.options.map((value) => ({ value, label: t(`delivery.${value}`) }))}
        />
        <FilterSelect
          label={t("filterWebhook")}
          any={t("anyWebhook")}
          value={webhookId}
          onChange={setWebhookId}
          data={(webhooks ?? []).map(({ id, url }) => ({ value: id, label: url }))}
        />
      </div>
      <PagedTable
        query={deliveries}
        label={t("tabs.deliveries")}
        columns={useColumns(setShown)}
        rowKey={(delivery) => String(delivery.id)}
        onOpen={(delivery) => setShown(delivery.id)}
        total={first?.totalIsCapped === true ? rows.length : (first?.total ?? 0)}
        height="calc(100dvh - 420px)"
        empty={{ title: t("noDeliveriesTitle"), children: t("noDeliveries") }}
      />
      {shown !== null && <DeliveryDialog deliveryId={shown} onClose={() => setShown(null)} />}
    </Panel>
  );
}

function useColumns(onShow: (id: number) => void): Column<OperatorDelivery>[] {
  const { t, format } = useTranslation(["integrations", "common"]);
  const labels = useNameLabels();
  const answerText = useAnswerText();
  return [
    {
      header: "#",
      width: "60px",
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
    { header: t("sampleEvent"), width: "120px", cell: (delivery) => labels.event(delivery.event) },
    { header: t("subject"), width: "minmax(120px, 1fr)", cell: labels.subject },
    { header: t("filterWebhook"), width: "minmax(150px, 1.2fr)", isLong: true, cell: (delivery) => delivery.url },
    {
      header: t("common:state"),
      width: "120px",
      cell: (delivery) => (
        <StatusMark tone={deliveryTone[delivery.state]}>{t(`delivery.${delivery.state}`)}</StatusMark>
      ),
    },
    {
      header: t("answer"),
      width: "minmax(120px, 1.6fr)",
      cell: (delivery) => answerText(delivery.lastStatus, delivery.lastError),
    },
    { header: t("common:attempts"), width: "64px", align: "right", cell: (delivery) => delivery.attempts },
    { header: t("created"), width: "90px", align: "right", cell: (delivery) => <TimeAgo at={delivery.createdAt} /> },
    {
      header: t("next"),
      width: "84px",
      align: "right",
      cell: (delivery) => (delivery.nextAttemptAt === null ? "–" : format.time(delivery.nextAttemptAt)),
    },
  ];
}
