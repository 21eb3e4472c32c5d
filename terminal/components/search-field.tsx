import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { IconSearch, IconX } from "@tabler/icons-react";
import type { RefObject } from "react";
import "./search-field.css";

/** A search field; `label` says what it searches if the hint is too short for that. */
export function SearchField({
  field,
  typed,
  onTyped,
  hint,
  label = hint,
}: {
  field?: RefObject<HTMLInputElement | null>;
  typed: string;
  onTyped: (typed: string) => void;
  hint: string;
  label?: string;
}) {
  const { t } = useTranslation("order");
  return (
    <label className="search">
      <IconSearch size={20} aria-hidden />
      <input
        ref={field}
        type="search"
        className="input"
        value={typed}
        placeholder={hint}
        aria-label={label}
        autoComplete="off"
        enterKeyHint="done"
        onChange={(event) => onTyped(event.currentTarget.value)}
      />
      {typed !== "" && (
        <ActButton kind="quiet" size="small" isRepeatable onAct={() => onTyped("")}>
          <IconX size={20} aria-label={t("clear")} />
        </ActButton>
      )}
    </label>
  );
}
