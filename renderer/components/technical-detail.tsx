import { useTranslation } from "react-i18next";

/** The hub's or the system's own English sentence, for support: folded away. Nothing where there is none. */
export function TechnicalDetail({ text }: { text: string }) {
  const { t } = useTranslation("issue");
  if (text === "") return null;
  return (
    <details className="error-detail">
      <summary>{t("details")}</summary>
      <span lang="en">{text}</span>
    </details>
  );
}
