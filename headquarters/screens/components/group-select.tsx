import { useTranslation } from "@comanda/ui/translation.ts";
import { useHq } from "../lib/cache.ts";

/** All restaurants, or those of a group. `all`: what else it means when none is chosen. */
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

/** What a link asks for that its reader may not see: without it the select would say that all are asked for. */
export function OtherOption({ value, isListed }: { value: string; isListed: boolean }) {
  return value !== "" && !isListed && <option value={value}>{value}</option>;
}

/** What was typed between commas. */
export function groupsIn(text: string): string[] {
  return text.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}
