import type { LocalOrder } from "@comanda/terminal";
import { IconDots } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";

/** Which check it is, who is served by whom, and the way to the acts of the whole check. */
export function CheckHead({
  title,
  order,
  onMenu,
}: {
  title: string;
  order: LocalOrder | undefined;
  onMenu: () => void;
}) {
  const { t } = useTranslation("check");
  return (
    <div className="check-head">
      <h1 className="check-title">
        <span className="check-name">{title}</span>
        {order !== undefined && (
          <span className="check-about">
            {[order.snapshot.customerName, t("guests", { count: order.snapshot.guestCount }), order.snapshot.staffName]
              .filter(Boolean)
              .join(" · ")}
          </span>
        )}
      </h1>
      {order !== undefined && (
        <ActButton size="small" aria-label={t("acts")} onAct={onMenu}>
          <IconDots size={24} aria-hidden />
        </ActButton>
      )}
    </div>
  );
}
