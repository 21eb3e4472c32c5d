import type { ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";

/** The hub's or the system's own English sentence, for support: folded away. Nothing where there is none. */
export function TechnicalDetail({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <TechnicalFold>
      <span lang="en">{text}</span>
    </TechnicalFold>
  );
}

/** What only support asks for, an id or a record as it was sent: folded away. */
export function TechnicalFold({ children }: { children: ReactNode }) {
  const { t } = useTranslation("issue");
  return (
    <details className="error-detail">
      <summary>{t("details")}</summary>
      {children}
    </details>
  );
}
