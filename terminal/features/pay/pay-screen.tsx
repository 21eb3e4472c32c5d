import { isActive } from "@comanda/protocol";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { Awaited } from "../../checks/awaited.tsx";
import { beginWithScan } from "../../checks/begin-with-scan.ts";
import { endOf } from "../../checks/nothing-left.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { useOrder } from "../../lib/connection/use-order.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import { readKeys } from "../../lib/page/key-reader.ts";
import { ChangeScreen, PaidView } from "./paid-view.tsx";
import { forgetPaid } from "./pay-draft.ts";
import { TakePayment } from "./take-payment.tsx";
import "./pay.css";

/** The payment of a check: amount due, payments one by one, change and receipt. */
export function PayScreen({ posReference }: { posReference: string }) {
  const { t } = useTranslation(["pay", "order"]);
  const order = useOrder(posReference);
  const menu = useMenu();
  const [change, setChange] = useState(0);
  const terminal = useTerminal();
  useEffect(() => forgetPaid(terminal), [terminal]);
  const [, go] = useLocation();
  const isOverCounter = order?.snapshot.tableId === null && !isActive(order.snapshot.status);
  // Scans of the next guest's goods begin a check while the change or the receipt is still shown.
  useEffect(
    () => (isOverCounter ? readKeys({ scanned: (code) => beginWithScan(code, go) }) : undefined),
    [isOverCounter, go],
  );
  if (order === undefined) return <p className="screen-none">{t("order:checkRemoved")}</p>;
  if (change > 0) return <ChangeScreen change={change} onSeen={() => setChange(0)} />;
  if (!isActive(order.snapshot.status)) return <PaidView order={order} />;
  if (endOf(order.snapshot) !== "pay") return <p className="screen-none">{t("nothingToPay")}</p>;
  if (menu === null) return <Awaited text={t("noMenu")} />;
  return <TakePayment order={order} menu={menu} onChange={setChange} />;
}
