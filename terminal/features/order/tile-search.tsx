import { IconSearch, IconX } from "@tabler/icons-react";
import type { RefObject } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";

/** The field in which a dish is searched for. */
export function TileSearch({
  field,
  typed,
  onTyped,
}: {
  field: RefObject<HTMLInputElement | null>;
  typed: string;
  onTyped: (typed: string) => void;
}) {
  const { t } = useTranslation("order");
  return (
    <label className="tiles-search">
      <IconSearch size={20} aria-hidden />
      <input
        ref={field}
        type="search"
        className="input"
        value={typed}
        placeholder={t("searchShort")}
        aria-label={t("search")}
        autoComplete="off"
        enterKeyHint="done"
        onChange={(event) => onTyped(event.currentTarget.value)}
      />
      {typed !== "" && (
        <button type="button" className="act" data-kind="quiet" data-size="small" onClick={() => onTyped("")}>
          <IconX size={20} aria-label={t("clear")} />
        </button>
      )}
    </label>
  );
}
