import { createStore } from "@comanda/ui/store.ts";
import { useEffect } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { isPractice } from "../lib/device/practice.ts";

/** Counts the papers shown in the practice. */
export const papersShown = createStore(0);

/** The stamp on every paper of the practice; nothing outside. */
export function PracticeStamp() {
  const { t } = useTranslation("training");
  useEffect(() => {
    if (isPractice) papersShown.set(papersShown.get() + 1);
  }, []);
  return isPractice && <strong className="practice-stamp">{t("stamp")}</strong>;
}
