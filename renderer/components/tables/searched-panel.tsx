import { useState, type ComponentProps, type ReactNode } from "react";
import { matcherOf, type Matcher } from "@comanda/ui/search.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useOnFound } from "../../lib/found.ts";
import { SearchField } from "../forms/search-field.tsx";
import type { EmptyText } from "../layout/empty.tsx";
import { Panel } from "../layout/panel.tsx";
import { Loaded, type LoadedTable } from "./loaded.tsx";
import { Table } from "./table.tsx";

type SearchedPanelProps<T, Row> = ComponentProps<typeof LoadedTable<T, Row>> & {
  title: string;
  about?: string;
  searchLabel: string;
  /** The texts to search: those that the row shows. */
  textsOf: (row: Row) => Parameters<Matcher>;
  /** Shown if there are no rows at all, with or without a search. */
  empty: EmptyText;
  /** Shown between the search field and the rows. */
  children?: ReactNode;
};

/** A panel with a searchable table. A row that the global search leads to is shown: it clears the search typed here. */
export function SearchedPanel<T, Row>(props: SearchedPanelProps<T, Row>) {
  const { title, about, searchLabel, textsOf, query, rows, empty, children, ...table } = props;
  const { t } = useTranslation("common");
  const [search, setSearch] = useState("");
  const matches = matcherOf(search);
  useOnFound(table.found ?? null, () => setSearch(""));
  const nothingFound = { title: t("nothingFoundTitle"), children: t("nothingFound") };
  return (
    <Panel title={title} about={about} flush>
      <div className="tools">
        <SearchField label={searchLabel} value={search} onChange={setSearch} />
      </div>
      {children}
      <Loaded query={query} height={240}>
        {(data) => {
          const all = rows(data);
          const found = all.filter((row) => matches(...textsOf(row)));
          return <Table {...table} rows={found} empty={all.length > 0 ? nothingFound : empty} />;
        }}
      </Loaded>
    </Panel>
  );
}
