import { Button, NumberInput, SegmentedControl, Select } from "@mantine/core";
import type { ItemState } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { FormDialog } from "../../components/forms/dialog.tsx";
import { useCatalogue } from "../../components/labels.ts";
import { LoadedTable } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { callHub, useHub } from "../../lib/hub.ts";

/** Items that have run out or are counted down ("86"): until when, how many are left, and a button that restores them. */
export function OutPanel() {
  const { t } = useTranslation("kitchen");
  const { products } = useCatalogue();
  const [marking, setMarking] = useState(false);
  const restore = ({ productId }: ItemState): Action => {
    const name = products[productId] ?? String(productId);
    return {
      label: t("makeAvailable"),
      name: t("makeAvailableOf", { name }),
      run: () => callHub("setItemState", { body: { productId, state: "available" } }),
      done: t("available", { name }),
    };
  };
  const mark = <Button onClick={() => setMarking(true)}>{t("markOut")}</Button>;
  return (
    <Panel title={t("out")} about={t("outAbout")} actions={mark} flush>
      <LoadedTable
        query={useHub("itemStates")}
        columns={useColumns()}
        rows={({ itemStates }) => itemStates}
        rowKey={({ productId }) => productId}
        actions={(item) => [restore(item)]}
        empty={{ title: t("nothingOutTitle"), children: t("nothingOut") }}
      />
      {marking && <MarkDialog onClose={() => setMarking(false)} />}
    </Panel>
  );
}

function useColumns(): Column<ItemState>[] {
  const { t, format } = useTranslation(["kitchen", "common"]);
  const { products } = useCatalogue();
  return [
    { header: t("product"), cell: ({ productId }) => <strong>{products[productId] ?? productId}</strong> },
    {
      header: t("availability"),
      cell: ({ state, left }) =>
        state === "limited" ? (
          <StatusMark tone="warn">{t("leftCount", { count: left ?? 0 })}</StatusMark>
        ) : (
          <StatusMark tone="bad">{t("isOut")}</StatusMark>
        ),
    },
    { header: t("common:until"), cell: ({ until }) => (until === null ? t("untilAvailable") : format.dateTime(until)) },
    { header: t("since"), cell: ({ updatedAt }) => <TimeAgo at={updatedAt} /> },
  ];
}

function MarkDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["kitchen", "common"]);
  const { products } = useCatalogue();
  const [productId, setProductId] = useState<string | null>(null);
  const [state, setState] = useState<"out" | "limited">("out");
  const [left, setLeft] = useState<number | string>("");
  const name = productId === null ? "" : (products[productId] ?? productId);
  return (
    <FormDialog
      title={t("markOut")}
      submitLabel={t("mark")}
      isReady={productId !== null && (state === "out" || typeof left === "number")}
      onClose={onClose}
      run={async () => {
        if (productId === null) return;
        const limit = state === "limited" ? { left: Number(left) } : {};
        await callHub("setItemState", { body: { productId, state, ...limit } });
        notify(t("marked", { name }));
      }}
    >
      <Select
        label={t("product")}
        data={Object.entries(products).map(([value, label]) => ({ value, label }))}
        value={productId}
        onChange={setProductId}
        searchable
        limit={100}
        nothingFoundMessage={t("common:nothingMatches")}
        data-autofocus
      />
      <SegmentedControl
        aria-label={t("availability")}
        value={state}
        onChange={setState}
        data={[
          { value: "out", label: t("isOut") },
          { value: "limited", label: t("fewLeft") },
        ]}
      />
      {state === "limited" && <NumberInput label={t("left")} value={left} onChange={setLeft} min={1} max={100_000} />}
    </FormDialog>
  );
}
