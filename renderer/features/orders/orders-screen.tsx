import { SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { OrderFilter } from "@comanda/protocol";
import { useEffect } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Screen } from "../../components/layout/screen.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import { useFound } from "../../lib/found.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { OrderList } from "./order-list.tsx";
import { OrderPane } from "./order-pane.tsx";
import "./orders-screen.css";

const SEARCH_PAUSE_MS = 250;

/** "Where is my order?", answered on one page. */
export default function OrdersScreen({ posReference }: { posReference?: string | undefined }) {
  const { t } = useTranslation("orders");
  const [typed, setTyped] = useDraft("orders-search");
  const [filter, setFilter] = useDraft("orders-filter", "active");
  const [search] = useDebouncedValue(typed.trim(), SEARCH_PAUSE_MS);
  const found = useFound("customer");
  useEffect(() => {
    if (found === null) return;
    setTyped(found.id);
    setFilter("all");
  }, [found, setTyped, setFilter]);
  const status = OrderFilter.catch("active").parse(filter);
  return (
    <Screen title={t("title")} about={t("about")}>
      <div className="chips orders-tools">
        <SearchField
          className="orders-search"
          label={t("searchLabel")}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={setTyped}
        />
        <SegmentedControl
          aria-label={t("filter")}
          value={status}
          onChange={setFilter}
          data={OrderFilter.options.map((value) => ({ value, label: t(`filters.${value}`) }))}
        />
      </div>
      <div className={posReference === undefined ? "orders-split" : "orders-split orders-open"}>
        <div className="card panel orders-list">
          <OrderList search={search === "" ? { status } : { status, search }} current={posReference} />
        </div>
        {posReference !== undefined && <OrderPane key={posReference} posReference={posReference} />}
      </div>
    </Screen>
  );
}
