import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { TipsOfDay } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { knownText } from "@comanda/ui/known-text.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { Table } from "../../components/tables/table.tsx";
import { TextField } from "../../components/forms/form-fields.tsx";
import { hubQuery } from "../../lib/hub.ts";

/** The tips of a day by waiter, and how the restaurant divides them. */
export function TipsPanel() {
  const { t } = useTranslation(["tills", "common"]);
  const [day, setDay] = useState<string | null>(null);
  const tips = useQuery({
    ...hubQuery("tips", { query: day === null ? {} : { day } }),
    placeholderData: keepPreviousData,
  });
  return (
    <LoadedPanel
      title={t("tipsTitle")}
      flush
      query={tips}
      actions={
        <TextField
          type="date"
          aria-label={t("common:day")}
          value={day ?? tips.data?.day ?? ""}
          onChange={(next) => setDay(next === "" ? null : next)}
        />
      }
    >
      {(read) => <TipsTable tips={read} />}
    </LoadedPanel>
  );
}

/** The sums of the tips, the share of each group, and the tips by waiter. Reaches the edge of its panel. */
export function TipsTable({ tips: { waiters, legal, voluntary, shares } }: { tips: TipsOfDay }) {
  const { t, format } = useTranslation(["tills", "common"]);
  return (
    <>
      {waiters.length > 0 && (
        <div className="tools">
          <Facts
            items={[
              fact(t("tipsTotal"), <strong>{format.money(sum([legal, voluntary]))}</strong>),
              ...shares.map(({ who, percent, amount }) =>
                fact(`${knownText(t, `shareNames.${who}`) ?? who} (${format.number(percent)} %)`, format.money(amount)),
              ),
            ]}
          />
        </div>
      )}
      <Table
        rows={waiters}
        rowKey={({ userName }) => userName ?? ""}
        columns={[
          { header: t("common:role.waiter"), cell: ({ userName }) => userName ?? t("nobody") },
          { header: t("legal"), numeric: true, cell: ({ legal }) => format.money(legal) },
          { header: t("voluntary"), numeric: true, cell: ({ voluntary }) => format.money(voluntary) },
          {
            header: t("common:amount"),
            numeric: true,
            cell: ({ legal, voluntary }) => format.money(sum([legal, voluntary])),
          },
        ]}
        empty={{ title: t("noTipsTitle"), children: t("noTips") }}
      />
    </>
  );
}
