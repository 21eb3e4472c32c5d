import type { SalesReport } from "@comanda/protocol";
import { subtract } from "@comanda/rules";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useMethodName } from "../../components/labels.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { matcherOf } from "@comanda/ui/search.ts";
import { useDishName } from "./use-dish-name.ts";

export function DishTable({ dishes }: Pick<SalesReport, "dishes">) {
  const { t, format } = useTranslation(["today", "common"]);
  const dishName = useDishName();
  const [search, setSearch] = useState("");
  const matches = matcherOf(search);
  return (
    <Panel title={t("byDish")} about={t("byDishAbout")} flush>
      <div className="tools">
        <SearchField label={t("searchDish")} value={search} onChange={setSearch} />
      </div>
      <Table
        columns={[
          { header: t("dish"), cell: ({ productId }) => <strong>{dishName(productId)}</strong> },
          {
            header: t("quantity"),
            numeric: true,
            cell: ({ quantity, refundedQuantity }) => format.number(subtract(quantity, refundedQuantity)),
          },
          useNetColumn(),
        ]}
        rows={dishes.filter(({ productId }) => matches(dishName(productId)))}
        rowKey={({ productId }) => productId ?? ""}
      />
    </Panel>
  );
}

export function WaiterTable({ waiters }: Pick<SalesReport, "waiters">) {
  const { t, format } = useTranslation(["today", "common"]);
  return (
    <Panel title={t("byWaiter")} about={t("byWaiterAbout")} flush>
      <Table
        columns={[
          { header: t("common:role.waiter"), cell: ({ name }) => <strong>{name ?? t("nobody")}</strong> },
          { header: t("checks"), numeric: true, cell: ({ checks }) => format.number(checks) },
          { header: t("tipsShort"), numeric: true, cell: ({ tips }) => format.money(tips) },
          useNetColumn(),
        ]}
        rows={waiters}
        rowKey={({ name }) => name ?? ""}
      />
    </Panel>
  );
}

export function MethodTable({ totals }: Pick<SalesReport, "totals">) {
  const { t, format } = useTranslation(["today", "common"]);
  const methodName = useMethodName();
  return (
    <Panel title={t("byMethod")} about={t("byMethodAbout")} flush>
      <Table
        columns={[
          {
            header: t("method"),
            cell: ({ methodId }) => <strong>{methodName(methodId)}</strong>,
          },
          { header: t("payments"), numeric: true, cell: ({ payments }) => format.number(payments) },
          { header: t("tipsShort"), numeric: true, cell: ({ tips = 0 }) => format.money(tips) },
          useNetColumn(),
        ]}
        rows={totals.byMethod}
        rowKey={({ methodId }) => methodId}
      />
    </Panel>
  );
}

/** Returns the column of sales less refunds. */
function useNetColumn(): Column<{ amount: number; refunded?: number | undefined }> {
  const { t, format } = useTranslation("common");
  return {
    header: t("amount"),
    numeric: true,
    cell: ({ amount, refunded = 0 }) => format.money(subtract(amount, refunded)),
  };
}
