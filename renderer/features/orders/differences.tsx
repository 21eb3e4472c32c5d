import type { OrderDifference } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { useCatalogue } from "../../components/labels.ts";
import { useFormat } from "../../lib/format.ts";
import texts from "./texts.json" with { type: "json" };

/** What a version changed. */
export function Differences({ differences }: { differences: readonly OrderDifference[] }) {
  const describe = useDescription();
  if (differences.length === 0) return null;
  return (
    <ul className="plain-list differences">
      {differences.map((difference) => {
        const text = describe(difference);
        return <li key={`${difference.kind}-${text}`}>{text}</li>;
      })}
    </ul>
  );
}

type FieldName = keyof typeof texts.field;

function isNamed(field: string): field is FieldName {
  return Object.hasOwn(texts.field, field);
}

function useDescription(): (difference: OrderDifference) => string {
  const { t } = useTranslation("orders");
  const format = useFormat();
  const { products, tables } = useCatalogue();
  const nameOf = (productId: string | null, lineId: string) =>
    productId === null ? lineId : (products[productId] ?? productId);
  const fieldOf = (field: string) => {
    const last = field.split(".").at(-1) ?? field;
    return isNamed(last) ? t(`field.${last}`) : field;
  };
  const valueOf = (field: string, value: string | number | boolean | null) => {
    if (value === null || value === "") return t("nothing");
    if (typeof value === "boolean") return String(value);
    if (field === "tableId") return tables[value] ?? String(value);
    const isMoney = /total|tax|price/i.test(field);
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
          item: nameOf(difference.productId, difference.lineId),
        });
      case "line_changed":
        return t("changed", {
          item: nameOf(difference.productId, difference.lineId),
          field: fieldOf(difference.field),
          before: valueOf(difference.field, difference.before),
          after: valueOf(difference.field, difference.after),
        });
    }
  };
}
