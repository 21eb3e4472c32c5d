import type { OrderPage, OrderRow } from "@comanda/protocol";
import { useQuery, type InfiniteData } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useOrderLabels, useSettingLabel, useTableLabel } from "../../components/labels.ts";
import { orderPath } from "../../components/order-link.tsx";
import { showFound, type Found } from "../../lib/found.ts";
import { requestHub } from "../../lib/hub-client.ts";
import { hubCache, hubKey, useHub } from "../../lib/hub.ts";
import { matcherOf } from "@comanda/ui/search.ts";
import type { Result } from "./result.ts";

/** Returns a function that opens the screen with a result, and makes the screen show it. */
function useOpenFound(): (path: string, kind: Found["kind"], id: string) => () => void {
  const [, go] = useLocation();
  return (path, kind, id) => () => {
    go(path);
    showFound({ kind, id });
  };
}

/** Returns the tables. Each leads to the Service screen, where a manager sees its details. */
export function useTables(): Result[] {
  const { t } = useTranslation("common");
  const openFound = useOpenFound();
  const tableLabel = useTableLabel();
  const floors = useHub("floorPlan").data?.floors ?? [];
  return floors.flatMap(({ name: floor, tables }) =>
    tables.map(({ tableId, name, status }) => ({
      id: String(tableId),
      label: tableLabel(name),
      about: `${floor} · ${t(`tableStatus.${status}`)}`,
      open: openFound("/", "table", String(tableId)),
    })),
  );
}

export interface FoundOrders {
  /** The search with these results. While the user types, it is older than the input. */
  search: string;
  orders: readonly OrderRow[];
  isSearching: boolean;
  /** The hub did not answer: the orders are from loaded data. */
  failed: boolean;
}

const LISTED = 12;

/** Returns the orders that the hub finds or, if it does not answer, the matches among loaded orders. */
export function useOrderSearch(search: string): FoundOrders {
  const answer = useQuery({
    // A key apart from the order lists, which the stream keeps up to date.
    queryKey: ["orderSearch", search],
    queryFn: ({ signal }) => requestHub("orders", { query: { search, status: "all", limit: LISTED } }, signal),
    enabled: search !== "",
    staleTime: 5_000,
    retry: false,
  });
  if (search === "") return { search, orders: [], isSearching: false, failed: false };
  return {
    search,
    orders: answer.data?.orders ?? loadedOrders(search),
    isSearching: answer.isFetching,
    failed: answer.isError,
  };
}

function loadedOrders(search: string): OrderRow[] {
  const matches = matcherOf(search);
  const lists = hubCache.getQueriesData<InfiniteData<OrderPage>>({ queryKey: hubKey("orders") });
  const rows = lists.flatMap(([, list]) => list?.pages.flatMap((page) => page.orders) ?? []);
  const found = rows.filter(({ posReference, customerName, staffName, ticketNumber }) =>
    matches(posReference, customerName, staffName, ticketNumber),
  );
  return [...new Map(found.map((order) => [order.posReference, order])).values()].slice(0, LISTED);
}

export function useOrders({ search, orders }: FoundOrders, typed: string): Result[] {
  const [, go] = useLocation();
  const labels = useOrderLabels();
  return orders.map((order) => ({
    id: order.posReference,
    label: order.posReference,
    about: [labels.place(order), order.customerName, labels.state(order)].filter(Boolean).join(" · "),
    // The hub also matches the name or number of the table, which may not be shown.
    isMatch: search === typed,
    open: () => go(orderPath(order.posReference)),
  }));
}

/** Returns the customers whose checks were found by name. */
export function useCustomers({ orders }: FoundOrders): Result[] {
  const { t } = useTranslation("search");
  const [, go] = useLocation();
  const openFound = useOpenFound();
  const checks = Map.groupBy(orders, ({ customerName }) => customerName ?? "");
  checks.delete("");
  return [...checks].map(([name, [first, ...others]]) => ({
    id: name,
    label: name,
    about: t("checks", { count: 1 + others.length }),
    open:
      first !== undefined && others.length === 0
        ? () => go(orderPath(first.posReference))
        : openFound("/orders", "customer", name),
  }));
}

/** Returns the open tickets. */
export function useTickets(): Result[] {
  const { t } = useTranslation(["search", "kitchen"]);
  const openFound = useOpenFound();
  const labels = useOrderLabels();
  const { data } = useHub("kitchen", { query: { state: "open" } });
  return (data?.tickets ?? []).map((ticket) => ({
    id: ticket.ticketId,
    label: labels.place(ticket),
    about: [ticket.stationName, ticket.customerName, t(`kitchen:states.${ticket.state}`)].filter(Boolean).join(" · "),
    keywords: [ticket.posReference, ...ticket.lines.map(({ name }) => name)].join(" "),
    open: openFound("/kitchen", "ticket", ticket.ticketId),
  }));
}

export function useTerminals(): Result[] {
  const { t } = useTranslation(["terminals", "common"]);
  const openFound = useOpenFound();
  const { data } = useHub("terminals");
  return (data?.terminals ?? []).map(({ terminalId, user, state, address }) => ({
    id: terminalId,
    label: terminalId,
    about: [user?.name, t(`terminals:states.${state}`)].filter(Boolean).join(" · "),
    keywords: address ?? undefined,
    open: openFound("/terminals", "terminal", terminalId),
  }));
}

export function useSettings(): Result[] {
  const labelOf = useSettingLabel();
  const openFound = useOpenFound();
  const { data } = useHub("settings");
  return (data?.settings ?? []).map(({ name }) => ({
    id: name,
    label: labelOf(name),
    about: name,
    open: openFound("/system/settings", "setting", name),
  }));
}
