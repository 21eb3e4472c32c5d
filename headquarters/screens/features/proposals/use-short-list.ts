import { useTranslation } from "@comanda/ui/translation.ts";

/** Names in a sentence: the first of them, and how many more there are. */
export function useShortList(): (names: readonly string[], most: number) => string {
  const { t, format } = useTranslation("proposals");
  return (names, most) => {
    const more = names.length - most;
    return format.list(more > 0 ? [...names.slice(0, most), t("more", { count: more })] : names);
  };
}
