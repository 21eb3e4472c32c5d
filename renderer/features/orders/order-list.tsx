import type { OrderRow } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link, useLocation } from "wouter";
import { orderTone, useOrderLabels } from "../../components/labels.ts";
import { orderPath } from "../../components/order-link.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { PagedTable } from "../../components/tables/virtual-table.tsx";
import { useHubPages, type HubSearch } from "../../lib/hub.ts";
import { toneOfFiscal } from "./fiscal-state.tsx";

interface OrderListProps {
  search: HubSearch<"orders">;
  /** The order open beside the list, which is then narrow. */
  current?: string | undefined;
}

export function OrderList({ search, current }: OrderListProps) {
  const { t } = useTranslation(["orders", "common"]);
  const [, go] = useLocation();
  const orders = useHubPages("orders", search, (page) => page.orders);
  const isSearching = search.search !== undefined && search.search !== "";
  return (
    <PagedTable
      query={orders}
      label={t("list")}
      columns={useColumns(current !== undefined)}
      rowKey={(order) => order.posReference}
      isCurrent={(order) => order.posReference === current}
      onOpen={(order) => go(orderPath(order.posReference))}
      total={Math.max(orders.first?.total ?? 0, orders.rows.length)}
      height="100%"
      empty={
        isSearching
          ? { title: t("common:nothingMatches"), children: t("emptySearch") }
          : { title: t("emptyTitle"), children: t("empty") }
      }
    />
  );
}

function useColumns(narrow: boolean): Column<OrderRow>[] {
  const { t, format } = useTranslation(["orders", "common"]);
  const labels = useOrderLabels();
  const people: Column<OrderRow> = {
    header: t("common:who"),
    width: "minmax(140px, 1.2fr)",
    cell: (order) => [order.customerName, order.staffName].filter(Boolean).join(" · ") || labels.writer(order.origin),
  };
  const items: Column<OrderRow> = {
    header: t("items"),
    width: "80px",
    numeric: true,
    cell: (order) => format.number(order.itemCount),
  };
  const activity: Column<OrderRow> = {
    header: t("activity"),
    width: "136px",
    align: "right",
    cell: (order) => <TimeAgo at={order.updatedAt} />,
  };
  return [
    {
      header: t("where"),
      width: narrow ? "minmax(150px, 2fr)" : "minmax(240px, 2fr)",
      cell: (order) => (
        <Link href={orderPath(order.posReference)} className="row-link" onClick={(event) => event.stopPropagation()}>
          {labels.place(order)} <span className="soft row-reference">{order.posReference}</span>
        </Link>
      ),
    },
    ...(narrow ? [] : [people]),
    { header: t("common:state"), width: narrow ? "142px" : "170px", cell: (order) => <OrderState order={order} /> },
    ...(narrow ? [] : [items]),
    {
      header: t("total"),
      width: narrow ? "minmax(116px, 0.8fr)" : "minmax(120px, 0.8fr)",
      numeric: true,
      cell: (order) => format.money(order.totals.total),
    },
    ...(narrow ? [] : [activity]),
  ];
}

function OrderState({ order }: { order: OrderRow }) {
  const { t } = useTranslation(["orders", "common"]);
  const labels = useOrderLabels();
  if (order.unappliedPayment) return <StatusMark tone="bad">{t("paymentWaits")}</StatusMark>;
  if (order.forward.state === "attention") return <StatusMark tone="bad">{t("common:forward.attention")}</StatusMark>;
  if (order.missingNumber !== undefined) {
    return <StatusMark tone={toneOfFiscal[order.missingNumber]}>{t(`fiscal.${order.missingNumber}`)}</StatusMark>;
  }
  return <StatusMark tone={orderTone(order)}>{labels.state(order)}</StatusMark>;
}
