import { useTranslation } from "@comanda/ui/translation.ts";

/** Returns a function that lists the first names as a phrase, with the number of the rest. */
export function useShortList(): (names: readonly string[], most: number) => string {
  const { t, format } = useTranslation("proposals");
  return (names, most) => {
    const more = names.length - most;
    return format.list(more > 0 ? [...names.slice(0, most), t("more", { count: more })] : names);
  };
}
