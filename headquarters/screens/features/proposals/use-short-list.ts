import { useTranslation } from "@comanda/ui/translation.ts";

/** Returns a function that lists the first names as a phrase, with the number of the rest. */
export function useShortList(): (names: readonly string[], most: number) => string {
  const { t, format } = useTranslation("proposals");
  return (names, limit) => {
    const more = names.length - limit;
    return format.list(more > 0 ? [...names.slice(0, limit), t("more", { count: more })] : names);
  };
}
