import { useTranslation } from "@comanda/ui/translation.ts";

/** A field that searches a list: of restaurants, unless `label` says otherwise. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation("common");
  const name = label ?? t("search");
  return (
    <input
      className="input"
      type="search"
      aria-label={name}
      placeholder={name}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
