import { useCallback } from "react";
import { useTranslation } from "react-i18next";

const BARE = /^[\d.\- ]+[A-Za-z]?$/;

/** What a table is called: "Mesa 4" for a bare "4"; a name that says more stays as it is. */
export function useTableWords(): (name: string | number) => string {
  const { t } = useTranslation("common");
  return useCallback((name) => (BARE.test(String(name)) ? t("table", { name }) : String(name)), [t]);
}
