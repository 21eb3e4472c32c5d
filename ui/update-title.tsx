import type { UpdateState } from "@comanda/protocol";
import { useTranslation } from "./translation.ts";

/** The heading of an update's overlay; nothing where no overlay is shown. */
export function UpdateTitle({ update }: { update: UpdateState }) {
  const { t } = useTranslation("update");
  switch (update.name) {
    case "overlay":
      return <span className="update-title">{t("title", { version: update.offer.version })}</span>;
    case "downloading":
    case "verifying":
    case "installing":
      return <span className="update-title">{t(update.name, { version: update.offer.version })}</span>;
    case "fallback":
      return <span className="update-title">{t("fallbackTitle")}</span>;
    case "app":
    case "checking":
      return null;
  }
}
