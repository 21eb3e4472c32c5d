import { matcherOf } from "@comanda/ui/search.ts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { CheckField } from "../../components/check-field.tsx";
import { DrawnRows } from "../../components/rows.tsx";
import { SearchField } from "../../components/search-field.tsx";

interface Option {
  id: string;
  name: string;
  /** A text beside the name that helps to choose. */
  more: string;
}

const ROW_HEIGHT = 48;

/** A scrolling list for choosing some of many options. Only visible rows are rendered. */
export function PickList({
  label,
  search: searchLabel,
  empty,
  none,
  options,
  isChosen,
  onChange,
}: {
  label: string;
  search: string;
  /** The text if there are no options, and the text if the search finds none. */
  empty: string;
  none: string;
  options: readonly Option[];
  isChosen: (id: string) => boolean;
  onChange: (option: Option, isChosen: boolean) => void;
}) {
  const [search, setSearch] = useState("");
  const scroller = useRef<HTMLDivElement>(null);
  const matches = matcherOf(search);
  const rows = options.filter(({ id, name, more }) => matches(name, more, id));
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  return (
    <div className="pick-list">
      <SearchField label={searchLabel} value={search} onChange={setSearch} />
      {rows.length === 0 && <p className="soft">{options.length === 0 ? empty : none}</p>}
      <div ref={scroller} className="pick-scroll" hidden={rows.length === 0}>
        <DrawnRows label={label} rows={rows} virtualizer={virtualizer}>
          {(row) => (
            <CheckField checked={isChosen(row.id)} onChange={({ target }) => onChange(row, target.checked)}>
              <span className="pick-name">
                {row.name} <span className="soft">{row.more}</span>
              </span>
            </CheckField>
          )}
        </DrawnRows>
      </div>
    </div>
  );
}
