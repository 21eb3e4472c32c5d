import { useTranslation } from "@comanda/ui/translation.ts";

/** Looks for what a list shows. */
export function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation("common");
  return (
    <input
      className="input"
      type="search"
      aria-label={t("search")}
      placeholder={t("search")}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
