import { useTranslation } from "@comanda/ui/translation.ts";
import type { Draft } from "./draft.ts";
import { useShortList } from "./use-short-list.ts";

const MAX_NAMES = 3;
const MAX_LENGTH = 200;

/** Returns the title of a draft: the typed one, or one made from its content. */
export function useDraftTitle({ kind, title, dishes, setting }: Draft): string {
  const { t } = useTranslation("proposals");
  const shortList = useShortList();
  if (title.trim() !== "") return title.trim();
  if (kind === "setting") return setting === "" ? "" : t("titleSetting", { name: setting });
  if (dishes.size === 0) return "";
  const names = shortList([...dishes.values()], MAX_NAMES);
  return t(kind === "out" ? "titleOut" : "titleResume", { names }).slice(0, MAX_LENGTH);
}
