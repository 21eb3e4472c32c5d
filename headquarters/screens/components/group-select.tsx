import { useTranslation } from "@comanda/ui/translation.ts";
import { useHq } from "../lib/cache.ts";

/** A select of all restaurants or a group. `all`: the text for no group, if it is not "all". */
export function GroupSelect({
  value,
  all,
  onChange,
}: {
  value: string;
  all?: string;
  onChange: (group: string) => void;
}) {
  const { t } = useTranslation("common");
  const groups = useHq("groups").data?.groups ?? [];
  return (
    <select className="input" aria-label={t("group")} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">{all ?? t("all")}</option>
      {groups.map(({ name, restaurants }) => (
        <option key={name} value={name}>
          {name} ({restaurants})
        </option>
      ))}
      <OtherOption value={value} isListed={groups.some(({ name }) => name === value)} />
    </select>
  );
}

/** An option for a value from a link that the reader may not see. Without it, the select would show "all". */
export function OtherOption({ value, isListed }: { value: string; isListed: boolean }) {
  return value !== "" && !isListed && <option value={value}>{value}</option>;
}

/** Splits a typed text at its commas into group names. */
export function groupsIn(text: string): string[] {
  return text.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}
