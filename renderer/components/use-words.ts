import { useTranslation } from "react-i18next";
import type { OrderRow } from "@comanda/protocol";
import { useTableWords } from "./use-table-words.ts";
import type { Tone } from "./status-mark.tsx";

type Place = Pick<OrderRow, "orderType" | "tableId" | "ticketNumber" | "checkNumber">;

/** Words that every screen uses for places and writers. */
export function useWords() {
  const { t } = useTranslation("common");
  const tableWords = useTableWords();
  return {
    /** Table 4 · check 2, or Takeout T-012. */
    place(order: Place, tables: Record<string, string>): string {
      const parts: string[] = [];
      if (order.tableId !== null) parts.push(tableWords(tables[order.tableId] ?? order.tableId));
      if (order.ticketNumber !== null) {
        parts.push(
          t(order.orderType === "delivery" ? "deliveryNumber" : "takeoutNumber", { number: order.ticketNumber }),
        );
      }
      if (order.checkNumber !== null && order.checkNumber > 1) parts.push(t("check", { number: order.checkNumber }));
      return parts.length > 0 ? parts.join(" · ") : t(order.orderType);
    },
    /** A terminal, an integration or the hub. */
    writer(origin: string): string {
      if (origin === "hub") return t("writer.hub");
      if (origin.startsWith("ext:")) return t("writer.integration", { key: origin.slice(4) });
      return origin;
    },
    state(order: Pick<OrderRow, "status" | "removed">): string {
      return t(`status.${order.removed ? "removed" : order.status}`);
    },
  };
}

/** How an order's state is toned. */
export function orderTone(order: Pick<OrderRow, "status" | "removed">): Tone {
  if (order.removed) return "idle";
  switch (order.status) {
    case "open":
    case "sent":
    case "checkout":
      return "accent";
    case "changed":
      return "warn";
    case "paid":
    case "closed":
      return "good";
  }
}
