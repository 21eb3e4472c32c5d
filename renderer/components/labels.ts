import {
  settingTexts,
  type Catalogue,
  type MethodId,
  type OrderPlace,
  type OrderRow,
  tableLabel,
} from "@comanda/protocol";
import { EXTERNAL_ORIGIN_PREFIX, HUB_ORIGIN } from "@comanda/protocol/origins.ts";
import { useLanguage, useTranslation } from "@comanda/ui/translation.ts";
import { useHub } from "../lib/hub.ts";
import type { Tone } from "./layout/status-mark.tsx";

const emptyCatalogue: Catalogue = {
  currency: "DOP",
  products: {},
  categories: {},
  paymentMethods: {},
  tables: {},
  taxes: [],
};

/** Returns the names of products, payment methods and tables, and the taxes. Empty until they are read. For managers only. */
export function useCatalogue(): Catalogue {
  return useHub("catalogue").data ?? emptyCatalogue;
}

/** Returns a function that labels a table by its name or number in the reader's language. */
export function useTableLabel(): (name: string | number) => string {
  const language = useLanguage();
  return (name) => tableLabel(String(name), language);
}

/** Returns a function that labels a table by its id. For managers only. */
export function useTableName(): (tableId: number) => string {
  const label = useTableLabel();
  const { tables } = useCatalogue();
  return (tableId) => label(tables[tableId] ?? tableId);
}

/** Returns a function that names a payment method, by its id if the back-office no longer has it. For managers only. */
export function useMethodName(): (methodId: MethodId) => string {
  const { t } = useTranslation("common");
  const { paymentMethods } = useCatalogue();
  return (id) => paymentMethods[id] ?? t("anyMethod", { id });
}

/** Returns a function that says what a setting is for, or its name if this page does not know it. */
export function useSettingLabel(): (name: string) => string {
  const labels: Readonly<Partial<Record<string, string>>> = settingTexts[useLanguage()];
  return (name) => labels[name] ?? name;
}

type OrderState = Pick<OrderRow, "status" | "removed">;

/** Returns functions that label an order's place, writer and state. For managers only. */
export function useOrderLabels() {
  const { t } = useTranslation("common");
  const tableName = useTableName();
  const keys = useHub("keys").data?.keys;
  return {
    /** "Table 4 · check 2" or "Takeout T-012". */
    place(order: OrderPlace): string {
      const parts: string[] = [];
      if (order.tableId !== null) parts.push(tableName(order.tableId));
      if (order.ticketNumber !== null) {
        const key = order.orderType === "delivery" ? "deliveryNumber" : "takeoutNumber";
        parts.push(t(key, { number: order.ticketNumber }));
      }
      if (order.checkNumber !== null && order.checkNumber > 1) parts.push(t("check", { number: order.checkNumber }));
      return parts.length > 0 ? parts.join(" · ") : t(order.orderType);
    },
    /** A terminal, an integration or the hub. */
    writer(origin: string): string {
      if (origin === HUB_ORIGIN) return t("writer.hub");
      if (!origin.startsWith(EXTERNAL_ORIGIN_PREFIX)) return origin;
      const key = keys?.find(({ keyId }) => keyId === origin.slice(EXTERNAL_ORIGIN_PREFIX.length));
      return key === undefined ? t("writer.anyIntegration") : t("writer.integration", { key: key.label });
    },
    state(order: OrderState): string {
      return t(`status.${order.removed ? "removed" : order.status}`);
    },
  };
}

const toneOf: Record<OrderRow["status"], Tone> = {
  open: "accent",
  sent: "accent",
  checkout: "accent",
  changed: "warn",
  paid: "good",
  closed: "good",
};

export function orderTone({ status, removed }: OrderState): Tone {
  return removed ? "idle" : toneOf[status];
}
