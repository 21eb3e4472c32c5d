import type { Tender } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTerminal } from "../../lib/connection/pos.ts";
import { useForeignMoney } from "../../lib/labels/foreign-money.ts";
import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { methodName } from "../../receipt/receipt.tsx";

/** The payments on a check, with who took each. */
export function TenderList({
  tenders,
  menu,
  onTakeBack,
}: {
  tenders: readonly Tender[];
  menu: MenuIndex;
  onTakeBack: (tender: Tender) => void;
}) {
  const { t, format } = useTranslation("pay");
  const terminal = useTerminal();
  const moneyIn = useForeignMoney();
  return (
    <ul className="tenders" aria-label={t("payments")}>
      {tenders.map((tender) => (
        <li key={tender.tenderId} className="tender">
          <span>
            <strong>{methodName(menu, tender.methodId)}</strong> {format.money(tender.amount)}
            {tender.foreign !== undefined && ` · ${moneyIn(tender.foreign.currency).format(tender.foreign.amount)}`}
            {tender.tip !== undefined && ` ${t("andTip", { tip: format.money(tender.tip) })}`}
            <span className="soft tender-by">
              {tender.takenBy} · {format.when(tender.takenAt, terminal.now())}
            </span>
          </span>
          <ActButton size="small" kind="quiet" onAct={() => onTakeBack(tender)}>
            {t("takeBack")}
          </ActButton>
        </li>
      ))}
    </ul>
  );
}
