import i18next from "i18next";
import type { Notice } from "./notices.ts";

/** The act of a notice that takes back what was just done. */
export function undoAct(run: () => void): NonNullable<Notice["act"]> {
  return { label: i18next.t("undo", { ns: "common" }), run };
}
