import { useTranslation } from "react-i18next";
import { tableLooks, type TableLook } from "../table-look.ts";

export function Legend() {
  const { t } = useTranslation(["service", "common"]);
  const word = (look: TableLook) =>
    look === "available" || look === "reserved" ? t(`common:tableStatus.${look}`) : t(`common:status.${look}`);
  return (
    <ul className="legend" aria-label={t("service:legend")}>
      {tableLooks.map((look) => (
        <li key={look} data-look={look}>
          <svg width="18" height="14" aria-hidden>
            <rect x="1" y="1" width="16" height="12" rx="3" />
          </svg>
          {word(look)}
        </li>
      ))}
      <li data-look="open">
        <svg width="12" height="12" aria-hidden>
          <circle className="table-busy" cx="6" cy="6" r="5" />
        </svg>
        {t("service:busy")}
      </li>
    </ul>
  );
}
