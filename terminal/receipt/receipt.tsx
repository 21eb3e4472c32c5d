import type { Payment } from "@comanda/protocol";
import { chargedQuantity, fromCents, modifierNames, paymentsOf, sum, taxesByName } from "@comanda/rules";
import { amountDue, type LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useForeignMoney } from "../lib/labels/foreign-money.ts";
import { useMenu } from "../lib/menu/use-menu.ts";
import type { MenuIndex } from "../lib/menu/menu-index.ts";
import { useCheckTitles } from "../lib/labels/check-title.ts";
import { PracticeStamp } from "../practice/practice-stamp.tsx";
import { FiscalLine } from "./fiscal-line.tsx";
import { dishName, netOf } from "../checks/check-lines.ts";
import { paidAt } from "../checks/paid-at.ts";
import "./receipt.css";

type Printed = Pick<LocalOrder, "snapshot" | "pending">;

/** A check on paper width: the `bill`, the `receipt`, or a `copy` of it. */
export function Receipt({ order, kind }: { order: Printed; kind: "bill" | "receipt" | "copy" }) {
  const { t, format } = useTranslation(["pay", "check", "order"]);
  const menu = useMenu();
  const titleOf = useCheckTitles();
  const { snapshot } = order;
  const { checkNumber, staffName, totals, adjustments = [], fiscal } = snapshot;
  const lines = snapshot.lines.filter((line) => chargedQuantity(line) > 0);
  const taxes = menu === null ? [] : taxesByName(snapshot, menu.menu, t("check:otherTaxes"));
  const company = menu?.menu.company;
  const ownRnc = company?.rnc ?? menu?.menu["rnc"];
  return (
    <article className="receipt" aria-label={t(kind)}>
      <header>
        <strong>{company?.name ?? menu?.menu.name ?? ""}</strong>
        {typeof ownRnc === "string" && <span>{t("houseRnc", { rnc: ownRnc })}</span>}
        <span className="receipt-kind">{t(kind)}</span>
        <PracticeStamp />
        {kind === "bill" && <span>{t("notFiscal")}</span>}
      </header>
      <div className="receipt-facts">
        <span>{titleOf(snapshot)}</span>
        {checkNumber != null && <span>{t("order:checkNumber", { number: checkNumber })}</span>}
        {staffName != null && <span>{t("servedBy", { name: staffName })}</span>}
        {kind !== "bill" && <span>{format.dateTime(paidAt(snapshot))}</span>}
      </div>
      {kind !== "bill" && (
        <div className="receipt-fiscal">
          <FiscalLine order={order} />
          {fiscal?.name != null && <span>{fiscal.name}</span>}
          {fiscal?.rnc != null && <span>{t("buyerRnc", { rnc: fiscal.rnc })}</span>}
        </div>
      )}
      <table>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td className="receipt-quantity">{format.number(chargedQuantity(line))}</td>
              <td>
                {dishName(line, menu)}
                {modifierNames(line["modifiers"]).map((name, index) => (
                  <small key={`${index} ${name}`}>{name}</small>
                ))}
              </td>
              <td className="money">{format.money(netOf(line))}</td>
            </tr>
          ))}
        </tbody>
        <tbody className="receipt-sums">
          <Sum label={t("check:subtotal")} amount={totals.subtotal} />
          {taxes.map(({ name, cents }) => (
            <Sum key={name} label={name} amount={fromCents(cents)} />
          ))}
          {adjustments.map(({ kind: what, amount, reason }, index) => (
            <Sum
              key={index}
              label={`${t(`check:adjustment.${what}`)}${reason === undefined ? "" : `: ${reason}`}`}
              amount={amount}
            />
          ))}
        </tbody>
        <tbody className="receipt-total">
          <tr>
            <td colSpan={3}>
              {t("check:total")}
              <span className="money">{format.money(totals.total)}</span>
            </td>
          </tr>
        </tbody>
        <Payments snapshot={snapshot} menu={menu} isBill={kind === "bill"} />
      </table>
      <footer>{t(kind === "bill" ? "billFoot" : "thanks")}</footer>
    </article>
  );
}

function Payments({
  snapshot,
  menu,
  isBill,
}: {
  snapshot: LocalOrder["snapshot"];
  menu: MenuIndex | null;
  isBill: boolean;
}) {
  const { t } = useTranslation("pay");
  const moneyIn = useForeignMoney();
  const payments = paymentsOf(snapshot);
  const labelOf = ({ methodId, foreign }: Payment): string => {
    const name = methodName(menu, methodId);
    return foreign === undefined
      ? name
      : `${name} ${moneyIn(foreign.currency).format(foreign.amount)} × ${foreign.rate}`;
  };
  if (payments.length === 0) return null;
  const tips = sum(payments.map(({ tip = 0 }) => tip));
  return (
    <tbody className="receipt-payments">
      {payments.map((payment, index) => (
        <Sum key={index} label={labelOf(payment)} amount={handedOver(payment)} />
      ))}
      {tips > 0 && <Sum label={t("tipIncluded")} amount={tips} />}
      {payments.map(({ change = 0 }, index) => change > 0 && <Sum key={index} label={t("change")} amount={change} />)}
      {isBill && <Sum label={t("due")} amount={amountDue(snapshot)} />}
    </tbody>
  );
}

/** Returns the amount handed over, with the tip, as on a card slip. Minus change, they add up to the total and the tips. */
function handedOver({ tendered, amount, tip = 0 }: Payment): number {
  return tendered ?? sum([amount, tip]);
}

function Sum({ label, amount }: { label: string; amount: number }) {
  const format = useFormat();
  return (
    <tr>
      <td colSpan={2}>{label}</td>
      <td className="money">{format.money(amount)}</td>
    </tr>
  );
}

/** Returns the name of a payment method. */
export function methodName(menu: MenuIndex | null, methodId: number | string): string {
  return menu?.menu.paymentMethods.find(({ id }) => String(id) === String(methodId))?.name ?? String(methodId);
}
