import { contactOf } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { IconDots } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useTerminal } from "../../lib/connection/pos.ts";

/** The check's title, its guests and waiter, and the button for the acts of the whole check. */
export function CheckHead({
  title,
  order,
  onMenu,
  onContact,
}: {
  title: string;
  order: LocalOrder | undefined;
  onMenu: () => void;
  /** Opens the contact details of a takeaway's guests. */
  onContact: () => void;
}) {
  const { t, format } = useTranslation(["check", "order"]);
  const terminal = useTerminal();
  const { phone, address, promisedAt } = order === undefined ? {} : contactOf(order.snapshot);
  const contact = joinWithDots(
    promisedAt !== undefined && t("promisedAt", { time: format.upcoming(promisedAt, terminal.now()) }),
    phone,
    address,
  );
  const isAway = order !== undefined && order.snapshot.orderType !== "dine_in";
  const guest = order?.snapshot.customerName;
  return (
    <div className="check-head">
      <h1 className="check-title">
        <span className="check-name">{title}</span>
        {order !== undefined && (
          <span className="check-about">
            {/* A check without a table has its guest's name as the title. */}
            {joinWithDots(
              guest !== title && guest,
              t("order:guests", { count: order.snapshot.guestCount }),
              order.snapshot.staffName,
            )}
          </span>
        )}
        {contact !== "" && <span className="check-about">{contact}</span>}
      </h1>
      {isAway && contact === "" && (
        <ActButton size="small" onAct={onContact}>
          {t("askContact")}
        </ActButton>
      )}
      {order !== undefined && (
        <ActButton size="small" aria-label={t("acts")} onAct={onMenu}>
          <IconDots size={24} aria-hidden />
        </ActButton>
      )}
    </div>
  );
}
