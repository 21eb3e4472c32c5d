import { SegmentedControl, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { OrderFilter } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Screen } from "../../components/screen.tsx";
import { useDraft } from "../../lib/use-draft.ts";
import { OrderList } from "./components/order-list.tsx";
import { OrderPane } from "./components/order-pane.tsx";
import "./orders-screen.css";

const filters = OrderFilter.options;
const SEARCH_PAUSE_MS = 250;

/** "Where is my order?", answered on one page. */
export default function OrdersScreen({ posReference }: { posReference?: string | undefined }) {
  const { t } = useTranslation("orders");
  const [search, setSearch] = useDraft("orders-search");
  const [filter, setFilter] = useDraft("orders-filter", "active");
  const [typed] = useDebouncedValue(search.trim(), SEARCH_PAUSE_MS);
  const status = OrderFilter.catch("active").parse(filter);
  return (
    <Screen title={t("title")} about={t("about")}>
      <div className="orders-tools">
        <TextInput
          className="orders-search"
          aria-label={t("searchLabel")}
          placeholder={t("searchLabel")}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          type="search"
        />
        <SegmentedControl
          aria-label={t("filter")}
          value={status}
          onChange={setFilter}
          data={filters.map((value) => ({ value, label: t(`filters.${value}`) }))}
        />
      </div>
      <div className={posReference === undefined ? "orders-split" : "orders-split orders-open"}>
        <div className="panel orders-list">
          <OrderList
            search={typed === "" ? { status } : { status, search: typed }}
            current={posReference}
            height="100%"
          />
        </div>
        {posReference !== undefined && <OrderPane key={posReference} posReference={posReference} />}
      </div>
    </Screen>
  );
}
