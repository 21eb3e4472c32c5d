import { Adjustment, kitchenFieldNames, OrderStatus, OrderType, type OrderDifference } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useCatalogue, useTableName } from "../../components/labels.ts";
import { useFormat } from "../../lib/format.ts";
import texts from "./texts.json" with { type: "json" };

/** What a version changed, in words; what has an entry of its own in the history is left out. */
export function Differences({ differences }: { differences: readonly OrderDifference[] }) {
  const { t } = useTranslation("orders");
  const describe = useDescription();
  const shown = differences.filter(isShown);
  const hasOthers = differences.some((difference) => !isShown(difference) && !hasOwnEntry(difference));
  if (shown.length === 0 && !hasOthers) return null;
  return (
    <ul className="plain-list differences">
      {shown.map((difference) => {
        const text = describe(difference);
        return <li key={`${difference.kind}-${text}`}>{text}</li>;
      })}
      {hasOthers && <li>{t("otherChanges")}</li>}
    </ul>
  );
}

type FieldName = keyof typeof texts.field;

function isNamed(field: string): field is FieldName {
  return Object.hasOwn(texts.field, field);
}

/** What people read as a value; lists and records are not shown as text. */
function isShown(difference: OrderDifference): boolean {
  return !("field" in difference) || isNamed(difference.field);
}

/** Payments, the fiscal number and the kitchen's work are told by their own entries, numbers of lines by the line. */
function hasOwnEntry(difference: OrderDifference): boolean {
  return "field" in difference && ownEntries.has(difference.field);
}

const ownEntries: ReadonlySet<string> = new Set([
  ...kitchenFieldNames,
  "tenders",
  "payments",
  "paidAt",
  "paidBy",
  "ncf",
  "fiscal",
  "forward",
  "checkNumber",
  "ticketNumber",
  "taxAmount",
  "taxIds",
  "splitOf",
  "splitFrom",
  "terminalId",
]);

function useDescription(): (difference: OrderDifference) => string {
  const { t } = useTranslation(["orders", "common"]);
  const format = useFormat();
  const tableName = useTableName();
  const { products } = useCatalogue();
  const nameOf = ({ productId, name }: { productId: string | null; name?: string | undefined }) =>
    (productId === null ? undefined : products[productId]) ?? name ?? t("aLine");
  const fieldOf = (field: string) => (isNamed(field) ? t(`field.${field}`) : t("otherChanges"));
  const valueOf = (field: string, value: string | number | boolean | null) => {
    if (value === null || value === "") return t("nothing");
    if (typeof value === "boolean") return t(value ? "common:yes" : "common:no");
    const status = field === "status" ? OrderStatus.safeParse(value) : null;
    if (status?.success === true) return t(`common:status.${status.data}`);
    const type = field === "orderType" ? OrderType.safeParse(value) : null;
    if (type?.success === true) return t(`common:${type.data}`);
    if (field === "tableId" && typeof value === "number") return tableName(value);
    if (field === "tableIds") return format.list(read(z.array(z.number()), value, []).map(tableName)) || t("nothing");
    if (field === "totals") return format.money(read(z.object({ total: z.number() }), value, { total: 0 }).total);
    if (field === "adjustments") {
      const texts = read(z.array(Adjustment), value, []).map(({ kind, amount, reason, by }) =>
        [`${t(`adjustment.${kind}`)} ${format.money(amount)}`, reason, by].filter(Boolean).join(", "),
      );
      return format.list(texts) || t("nothing");
    }
    const isMoney = /total|price/i.test(field);
    return typeof value === "number" ? (isMoney ? format.money(value) : format.number(value)) : value;
  };
  return (difference) => {
    switch (difference.kind) {
      case "field":
        return t("fieldChanged", {
          field: fieldOf(difference.field),
          before: valueOf(difference.field, difference.before),
          after: valueOf(difference.field, difference.after),
        });
      case "line_added":
      case "line_removed":
        return t(difference.kind === "line_added" ? "lineAdded" : "lineRemoved", {
          quantity: format.number(difference.quantity),
          item: nameOf(difference),
        });
      case "line_changed":
        return t("changed", {
          item: nameOf(difference),
          field: fieldOf(difference.field),
          before: valueOf(difference.field, difference.before),
          after: valueOf(difference.field, difference.after),
        });
    }
  };
}

/** What came as its JSON text; `none` where it is something else. */
function read<T>(schema: z.ZodType<T>, value: string | number, none: T): T {
  try {
    return schema.parse(JSON.parse(String(value)));
  } catch {
    return none;
  }
}
