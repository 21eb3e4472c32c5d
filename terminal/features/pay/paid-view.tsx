import { paymentsOf } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { IconAlertTriangle, IconCircleCheck, IconCloudUp } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { ActButton, isSameTap } from "@comanda/ui/act-button.tsx";
import { PrintButton } from "../../receipt/print-button.tsx";
import { useLive } from "../../lib/connection/pos.ts";
import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { focusWhereLost } from "../../lib/page/focus-where-lost.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import { methodName, Receipt } from "../../receipt/receipt.tsx";
import { LargeMoney } from "./large-money.tsx";
import { withTip } from "./tender.ts";

/** A check is only shown as paid once the hub has applied its payments. */
const looks = {
  paid: { tone: "good", Icon: IconCircleCheck },
  closed: { tone: "good", Icon: IconCircleCheck },
  taken: { tone: "warn", Icon: IconCloudUp },
  notApplied: { tone: "bad", Icon: IconAlertTriangle },
} as const;

function standingOf({ snapshot, paymentRefused, isPaymentPending }: LocalOrder): keyof typeof looks {
  if (paymentRefused) return "notApplied";
  if (isPaymentPending) return "taken";
  return snapshot.totals.total === 0 ? "closed" : "paid";
}

/** Returns the amount of the last payment, with tip, to enter in a card terminal; null for cash and credit. */
function chargeOf(
  snapshot: LocalOrder["snapshot"],
  menu: MenuIndex | null,
): { methodId: number | string; amount: number } | null {
  const last = paymentsOf(snapshot).at(-1);
  const method = menu?.menu.paymentMethods.find(({ id }) => String(id) === String(last?.methodId));
  if (last === undefined || method === undefined || method.type === "cash" || method.type === "pay_later") return null;
  return { methodId: last.methodId, amount: withTip(last) };
}

/** A paid check: its state, its fiscal number and the receipt. */
export function PaidView({ order }: { order: LocalOrder }) {
  const { t, format } = useTranslation(["pay", "check", "conflicts", "order"]);
  const isOnline = useLive("connection").name === "online";
  const status = useLive("hubStatus");
  const [, go] = useLocation();
  const { totals, tableId } = order.snapshot;
  const menu = useMenu();
  const standing = standingOf(order);
  const charge = chargeOf(order.snapshot, menu);
  const { tone, Icon } = looks[standing];
  return (
    <div className="paid">
      <div className="tight paid-head" data-tone={tone}>
        <h1 ref={focusWhereLost} className="row" tabIndex={-1}>
          <Icon size={32} aria-hidden />
          {t(standing, { amount: format.money(totals.total) })}
        </h1>
        {standing === "notApplied" && <p>{t("paymentRefused")}</p>}
        {charge !== null && (
          <p className="paid-charge">
            {t("chargeOn", { method: methodName(menu, charge.methodId) })}
            <LargeMoney amount={charge.amount} />
          </p>
        )}
        {standing === "taken" && <p>{t(isOnline ? "paymentWaits" : "paymentUnsent")}</p>}
        {standing === "taken" && isOnline && status?.diskLow && <p>{t("conflicts:health.diskLow")}</p>}
      </div>
      <div className="receipt-place">
        <Receipt order={order} kind="receipt" />
      </div>
      <div className="chips paid-acts">
        <PrintButton order={order} document="receipt" />
        {tableId === null && <ActButton onAct={() => go("/takeaway/new")}>{t("order:newTakeaway")}</ActButton>}
        <ActButton kind="main" onAct={() => go(tableId === null ? "/takeaway" : "/floor")}>
          {t("check:ok")}
        </ActButton>
      </div>
    </div>
  );
}

/** The change, in digits that can be read across the counter, until the next tap. */
export function ChangeScreen({ change, onSeen }: { change: number; onSeen: () => void }) {
  const { t } = useTranslation("pay");
  return (
    <button
      ref={focusWhereLost}
      type="button"
      className="change-screen"
      onClick={({ timeStamp }) => {
        if (!isSameTap(timeStamp)) onSeen();
      }}
    >
      <span>{t("change")}</span>
      <LargeMoney amount={change} />
      <span>{t("tapToGoOn")}</span>
    </button>
  );
}
