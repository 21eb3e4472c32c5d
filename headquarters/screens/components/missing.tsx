import { useTranslation } from "@comanda/ui/translation.ts";
import { Failure } from "./failure.tsx";

/** In the place of what was not read yet: that it is read, or what keeps it away. */
export function Missing({ error }: { error: unknown }) {
  const { t } = useTranslation("common");
  return error === null ? <p className="soft">{t("loading")}</p> : <Failure error={error} />;
}
