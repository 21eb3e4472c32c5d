import type { OrderRow } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { Ago } from "../../../components/age.tsx";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { orderTone, useWords } from "../../../components/use-words.ts";
import { VirtualTable, type Column } from "../../../components/virtual-table.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useCatalogue } from "../api/catalogue.ts";
import { useOrders, type OrderSearch } from "../api/orders.ts";

/** The list of a search. Narrow beside an opened order: only what tells one order from another. */
export function OrderList({
  search,
  current,
  height,
}: {
  search: OrderSearch;
  current?: string | undefined;
  height: string;
}) {
  const { t } = useTranslation("orders");
  const [, go] = useLocation();
  const orders = useOrders(search);
  const columns = useColumns(current !== undefined);
  const rows = orders.data?.pages.flatMap((page) => page.orders) ?? [];
  if (orders.error !== null && orders.data === undefined) {
    return <ErrorNotice error={orders.error} onRetry={() => void orders.refetch()} />;
  }
  if (orders.data !== undefined && rows.length === 0) {
    const searching = search.search !== undefined && search.search !== "";
    return searching ? (
      <Empty title={t("emptySearchTitle")}>{t("emptySearch")}</Empty>
    ) : (
      <Empty title={t("emptyTitle")}>{t("empty")}</Empty>
    );
  }
  return (
    <VirtualTable
      label={t("list")}
      columns={columns}
      rows={rows}
      rowKey={(order) => order.posReference}
      isCurrent={(order) => order.posReference === current}
      onOpen={(order) => go(addressOfOrder(order))}
      onEnd={orders.hasNextPage && !orders.isFetchingNextPage ? () => void orders.fetchNextPage() : undefined}
      total={Math.max(orders.data?.pages[0]?.total ?? 0, rows.length)}
      height={height}
      squeeze={current !== undefined}
    />
  );
}

function addressOfOrder(order: Pick<OrderRow, "posReference">): string {
  return `/orders/${encodeURIComponent(order.posReference)}`;
}

function useColumns(narrow: boolean): Column<OrderRow>[] {
  const { t } = useTranslation("orders");
  const format = useFormat();
  const words = useWords();
  const { tables } = useCatalogue();
  const reference: Column<OrderRow> = {
    id: "reference",
    header: t("reference"),
    width: narrow ? "minmax(128px, 1.5fr)" : "minmax(150px, 1.5fr)",
    cell: (order) => (
      <Link href={addressOfOrder(order)} className="row-link" onClick={(event) => event.stopPropagation()}>
        {order.posReference}
      </Link>
    ),
  };
  const where: Column<OrderRow> = {
    id: "where",
    header: t("where"),
    width: narrow ? "minmax(64px, 1fr)" : "minmax(110px, 1fr)",
    cell: (order) => words.place(order, tables),
  };
  const state: Column<OrderRow> = {
    id: "state",
    header: t("state"),
    width: narrow ? "142px" : "170px",
    cell: (order) => <OrderState order={order} />,
  };
  const total: Column<OrderRow> = {
    id: "total",
    header: t("total"),
    width: narrow ? "96px" : "120px",
    align: "right",
    cell: (order) => <span className="num">{format.money(order.totals.total)}</span>,
  };
  const activity: Column<OrderRow> = {
    id: "activity",
    header: t("activity"),
    width: "110px",
    align: "right",
    cell: (order) => <Ago at={order.updatedAt} />,
  };
  if (narrow) return [reference, where, state, total];
  return [
    reference,
    where,
    {
      id: "who",
      header: t("who"),
      width: "minmax(140px, 1.2fr)",
      cell: (order) => [order.customerName, order.staffName].filter(Boolean).join(" · ") || words.writer(order.origin),
    },
    state,
    {
      id: "items",
      header: t("items"),
      width: "80px",
      align: "right",
      cell: (order) => <span className="num">{format.number(order.itemCount)}</span>,
    },
    total,
    activity,
  ];
}

function OrderState({ order }: { order: OrderRow }) {
  const { t } = useTranslation(["orders", "common"]);
  const words = useWords();
  if (order.unappliedPayment) return <StatusMark tone="bad">{t("orders:paymentWaits")}</StatusMark>;
  if (order.forward.state === "attention") return <StatusMark tone="bad">{t("common:forward.attention")}</StatusMark>;
  return <StatusMark tone={orderTone(order)}>{words.state(order)}</StatusMark>;
}
