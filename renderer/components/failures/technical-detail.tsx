import type { ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";

/** An English sentence of the hub or the system for support, folded. Renders nothing if it is empty. */
export function TechnicalDetail({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <TechnicalFold>
      <span lang="en">{text}</span>
    </TechnicalFold>
  );
}

/** Details that only support needs, such as an id or a raw record, folded. */
export function TechnicalFold({ children }: { children: ReactNode }) {
  const { t } = useTranslation("issue");
  return (
    <details className="error-detail">
      <summary>{t("details")}</summary>
      {children}
    </details>
  );
}
