import { openTenders } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { IconFileInvoice } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useInUse } from "../../lib/in-use.ts";
import type { MenuIndex } from "../../lib/menu-index.ts";
import { useWidth } from "../../lib/use-width.ts";
import { InUseStrip } from "../../people/in-use-strip.tsx";
import { Receipt } from "../../receipt/receipt.tsx";
import { NumbersLeft, useScarceNumbers } from "./numbers-left.tsx";
import { PartsRow } from "./parts-row.tsx";
import { PayDue } from "./pay-due.tsx";
import { PayHead } from "./pay-head.tsx";
import { PayMethods } from "./pay-methods.tsx";
import { PaySheets } from "./pay-sheets.tsx";
import { TenderList } from "./tender-list.tsx";
import { TipRow } from "./tip-row.tsx";
import { usePayment, type Payment } from "./use-payment.ts";

/** Takes the payments of a check, one after the other: on one side what is due, on the other the ways to pay it. */
export function TakePayment({
  order,
  menu,
  onChange,
}: {
  order: LocalOrder;
  menu: MenuIndex;
  /** Change has to be given back. */
  onChange: (amount: number) => void;
}) {
  const { t } = useTranslation("pay");
  const width = useWidth();
  const payment = usePayment(order, menu, onChange);
  // The hub would refuse the money: what is paid may become another sum under the cashier's hands.
  const isInUse = useInUse()(order.posReference) !== null;
  return (
    <div className="pay" data-width={width}>
      <section className="pay-state">
        <PayHead order={order} />
        <PayDue order={order} payment={payment.asking} />
        <TenderList
          tenders={openTenders(order.snapshot)}
          menu={menu}
          onTakeBack={(tender) => payment.setSheet({ takeBack: tender })}
        />
      </section>
      <section className="pay-acts" aria-label={t("pay")}>
        <InUseStrip order={order} waits="payLater" />
        <FiscalChoice payment={payment} />
        <TipRow payment={payment} />
        <PartsRow payment={payment} />
        {payment.asking.due > 0 ? (
          <fieldset className="pay-ways" disabled={isInUse}>
            <PayMethods payment={payment} />
          </fieldset>
        ) : (
          <ActButton kind="money" onAct={payment.close}>
            {t("closeCheck")}
          </ActButton>
        )}
      </section>
      {width === "pc" && (
        <aside className="receipt-place">
          <Receipt order={order} kind="bill" />
        </aside>
      )}
      <PaySheets payment={payment} menu={menu} />
    </div>
  );
}

/** Which fiscal number the check gets, and for whom. */
function FiscalChoice({ payment: { type, draft, setSheet } }: { payment: Payment }) {
  const { t } = useTranslation("pay");
  const scarce = useScarceNumbers(type?.type);
  return (
    <>
      <ActButton size="small" className="pay-fiscal" onAct={() => setSheet("fiscal")}>
        <IconFileInvoice size={20} aria-hidden />
        {type === null ? t("ncfNone") : `${t(`kinds.${type.kind}`)} · ${type.type}`}
        {draft.fiscal.name !== "" && <span className="act-more">{draft.fiscal.name}</span>}
      </ActButton>
      {scarce !== null && <NumbersLeft numbers={scarce} />}
    </>
  );
}
