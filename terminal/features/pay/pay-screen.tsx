import { isActive, type PaymentMethod, type Tender } from "@comanda/protocol";
import {
  openTenders,
  fromCents,
  toCents,
  cashProposals,
  settleCash,
  type Asked,
  type Taken,
  partsOf,
  type Part,
  tipOf,
  tipShares,
} from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { amountDue } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { IconChevronLeft, IconFileInvoice, IconKeyboard } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { ActButton } from "../../components/act-button.tsx";
import { showNotice } from "../../lib/notices.ts";
import { useOrder, useTerminal } from "../../lib/pos.ts";
import { attempt } from "../../lib/show-refusal.ts";
import type { MenuIndex } from "../../lib/menu-index.ts";
import { useMenu } from "../../lib/use-menu.ts";
import { useWidth } from "../../lib/use-width.ts";
import { isUnsent } from "../../checks/check-lines.ts";
import { AmountSheet } from "./amount-sheet.tsx";
import { useCheckTitles } from "../../lib/check-title.ts";
import { CreditSheet } from "./credit-sheet.tsx";
import { FiscalSheet } from "./fiscal-sheet.tsx";
import { fiscalProblem, fiscalRequest, fiscalTypes, typeOf } from "./fiscal-types.ts";
import { NumbersLeft, useScarceNumbers } from "./numbers-left.tsx";
import { ChangeScreen, PaidView } from "./paid-view.tsx";
import { readParts } from "./parts.ts";
import { usePaymentActs } from "./payment-acts.ts";
import { usePayDraft } from "./pay-draft.ts";
import { methodName, Receipt } from "../../receipt/receipt.tsx";
import { TakeBackSheet } from "./take-back-sheet.tsx";
import "./pay.css";

/** How a check is paid: what is due, one payment after the other, the change, the receipt. */
export function PayScreen({ posReference }: { posReference: string }) {
  const { t } = useTranslation("pay");
  const order = useOrder(posReference);
  const menu = useMenu();
  const [change, setChange] = useState(0);
  if (order === undefined) return <p className="pay-gone">{t("gone")}</p>;
  if (change > 0) return <ChangeScreen change={change} onSeen={() => setChange(0)} />;
  if (!isActive(order.snapshot.status)) return <PaidView order={order} />;
  if (menu === null) return <p className="pay-gone">{t("noMenu")}</p>;
  return <TakePayment order={order} menu={menu} onChange={setChange} />;
}

type OpenSheet =
  | "amount"
  | "part"
  | "tip"
  | "fiscal"
  | { takeBack: Tender }
  | { credit: PaymentMethod; asked: number }
  | null;

function TakePayment({
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
  const format = useFormat();
  const width = useWidth();
  const { posReference, snapshot } = order;
  const asksFor = useAskedParts(posReference);
  const [draft, change] = usePayDraft(
    posReference,
    typeof asksFor === "number" ? { parts: { division: { count: asksFor }, paid: 0 } } : {},
  );
  const [sheet, setSheet] = useState<OpenSheet>(asksFor === "amount" ? "part" : null);
  const acts = usePaymentActs(posReference);
  const { paymentMethods, currency, ncfTypes } = menu.menu;

  const types = fiscalTypes(ncfTypes);
  const type = typeOf(draft.fiscal, types, ncfTypes !== undefined);
  const scarce = useScarceNumbers(type?.type);
  const tenders = openTenders(snapshot);
  const due = toCents(amountDue(snapshot));
  const soFar = {
    paid: tenders.reduce((sum, { amount }) => sum + toCents(amount), 0),
    tipped: tenders.reduce((sum, { tip = 0 }) => sum + toCents(tip), 0),
  };
  const parts =
    draft.parts === null
      ? []
      : partsOf(due + soFar.paid - draft.parts.paid, draft.parts.division, soFar.paid - draft.parts.paid);
  const next = parts.findIndex(({ left }) => left > 0);
  const wanted = parts[next]?.left ?? due;
  const askFor = (amount: number): Asked => ({ amount, tip: tipOf(draft.tip, amount, soFar) });
  const asked = askFor(wanted);
  const equalParts = draft.parts !== null && "count" in draft.parts.division ? draft.parts.division.count : undefined;
  const cash = paymentMethods.find((method) => method.type === "cash");

  // As many as the whole check would need, so that nothing jumps while it is paid.
  const proposals = cashProposals({ amount: toCents(snapshot.totals.total), tip: 0 }, currency).length + 2;
  const rows = Math.ceil(proposals / 3);

  /** Asks for what the fiscal number needs: it names the buyer, and stays of the type that it was asked for. */
  const isFiscalReady = (): boolean => {
    const problem = fiscalProblem(draft.fiscal, type, snapshot.totals.total);
    if (problem === "buyerMissing" && type !== null) change({ fiscal: { ...draft.fiscal, type: type.type } });
    if (problem !== null) setSheet("fiscal");
    return problem === null;
  };
  const take = async (method: PaymentMethod, taken: Taken): Promise<void> => {
    if (!isFiscalReady()) return;
    const credited = method.type === "pay_later" && draft.customer !== null ? { customer: draft.customer } : {};
    const isTaken = await acts.take({ method, taken, ...credited, fiscal: fiscalRequest(draft.fiscal, type) });
    if (!isTaken) return;
    setSheet(null);
    if (taken.change > 0) onChange(fromCents(taken.change));
  };
  /** An amount that was typed or chosen: cash may be more than is asked, anything else not. */
  const takeAmount = (method: PaymentMethod, cents: number, of: Asked): void => {
    if (method.type === "cash") return void take(method, settleCash(cents, of));
    if (cents > due) return showNotice({ text: t("noChange", { method: method.name }) });
    const { amount, tip } = askFor(cents);
    if (method.type === "pay_later") return setSheet({ credit: method, asked: amount });
    void take(method, { amount, tip, change: 0 });
  };
  const choose = (method: PaymentMethod): void =>
    takeAmount(method, method.type === "cash" ? asked.amount + asked.tip : asked.amount, asked);

  return (
    <div className="pay" data-width={width}>
      <section className="pay-state">
        <PayHead order={order} />
        <div className="pay-due">
          <span>{next === -1 ? t("due") : t("part", { number: next + 1, count: parts.length })}</span>
          <strong className="pay-amount">{format.money(fromCents(asked.amount + asked.tip))}</strong>
          {asked.tip > 0 && <span>{t("withTip", { tip: format.money(fromCents(asked.tip)) })}</span>}
          {(soFar.paid > 0 || next !== -1) && (
            <span className="soft">
              {t("ofTotal", { due: format.money(fromCents(due)), total: format.money(snapshot.totals.total) })}
            </span>
          )}
        </div>
        {order.paymentRefused && (
          <output className="pay-warning" data-tone="bad">
            {t("refusedHere")}
          </output>
        )}
        {snapshot.lines.some(isUnsent) && (
          <p className="mark" data-tone="warn">
            {t("unsent")}
          </p>
        )}
        {parts.length > 0 && <Parts parts={parts} next={next} />}
        <ul className="tenders" aria-label={t("payments")}>
          {tenders.map((tender) => (
            <li key={tender.tenderId} className="tender">
              <span>
                <strong>{methodName(menu, tender.methodId)}</strong> {format.money(tender.amount)}
                {tender.tip !== undefined && ` ${t("andTip", { tip: format.money(tender.tip) })}`}
                <span className="soft tender-by">
                  {tender.takenBy} · {format.time(tender.takenAt)}
                </span>
              </span>
              <ActButton size="small" kind="quiet" onAct={() => setSheet({ takeBack: tender })}>
                {t("takeBack")}
              </ActButton>
            </li>
          ))}
        </ul>
      </section>
      <section className="pay-acts" aria-label={t("pay")}>
        <ActButton size="small" className="pay-fiscal" onAct={() => setSheet("fiscal")}>
          <IconFileInvoice size={20} aria-hidden />
          {type === null ? t("ncfNone") : `${t(`kinds.${type.kind}`)} · ${type.type}`}
          {draft.fiscal.name !== "" && <span className="act-more">{draft.fiscal.name}</span>}
        </ActButton>
        {scarce !== null && <NumbersLeft numbers={scarce} />}
        <fieldset className="pay-row" aria-label={t("tip")}>
          <span>{t("tip")}</span>
          <ActButton size="small" aria-pressed={draft.tip === null} onAct={() => change({ tip: null })}>
            0
          </ActButton>
          {tipShares.map((percent) => (
            <ActButton
              key={percent}
              size="small"
              aria-pressed={draft.tip !== null && "percent" in draft.tip && draft.tip.percent === percent}
              onAct={() => change({ tip: { percent, ...soFar } })}
            >
              {percent} %
            </ActButton>
          ))}
          <ActButton
            size="small"
            aria-pressed={draft.tip !== null && "cents" in draft.tip}
            onAct={() => setSheet("tip")}
          >
            {t("other")}
          </ActButton>
        </fieldset>
        <fieldset className="pay-row" aria-label={t("parts")}>
          <span>{t("parts")}</span>
          <ActButton size="small" aria-pressed={draft.parts === null} onAct={() => change({ parts: null })}>
            1
          </ActButton>
          {partCounts(equalParts).map((count) => (
            <ActButton
              key={count}
              size="small"
              aria-pressed={equalParts === count}
              onAct={() => change({ parts: { division: { count }, paid: soFar.paid } })}
            >
              ÷{count}
            </ActButton>
          ))}
          <ActButton
            size="small"
            aria-pressed={draft.parts !== null && equalParts === undefined}
            onAct={() => setSheet("part")}
          >
            {t("partAmount")}
          </ActButton>
        </fieldset>
        {due === 0 ? (
          <ActButton kind="money" onAct={() => isFiscalReady() && void acts.close(fiscalRequest(draft.fiscal, type))}>
            {t("closeCheck")}
          </ActButton>
        ) : (
          <>
            {cash !== undefined && (
              <fieldset className="pay-grid" aria-label={t("notes")} data-rows={rows}>
                <ActButton kind="money" onAct={() => choose(cash)}>
                  {t("exact")}
                </ActButton>
                {cashProposals(asked, currency).map((cents) => (
                  <ActButton key={cents} onAct={() => takeAmount(cash, cents, asked)}>
                    {format.moneyShort(fromCents(cents))}
                  </ActButton>
                ))}
                <ActButton aria-label={t("typeAmount")} onAct={() => setSheet("amount")}>
                  <IconKeyboard aria-hidden />
                </ActButton>
              </fieldset>
            )}
            <fieldset className="pay-methods" aria-label={t("methods")}>
              {paymentMethods.map((method) => (
                <ActButton key={method.id} kind="main" onAct={() => choose(method)}>
                  {method.name}
                </ActButton>
              ))}
            </fieldset>
          </>
        )}
      </section>
      {width === "pc" && (
        <aside className="receipt-place">
          <Receipt order={order} kind="bill" />
        </aside>
      )}

      {sheet === "amount" && (
        <AmountSheet
          title={t("typeAmount")}
          onClose={() => setSheet(null)}
          acts={(cents) =>
            paymentMethods.map((method) => (
              <ActButton
                key={method.id}
                kind="main"
                disabled={cents === 0}
                onAct={() => takeAmount(method, cents, asked)}
              >
                {method.name}
              </ActButton>
            ))
          }
        />
      )}
      {sheet === "part" && (
        <AmountSheet
          title={t("partTitle", { due: format.money(fromCents(due)) })}
          onClose={() => setSheet(null)}
          acts={(cents) => (
            <ActButton
              kind="main"
              disabled={cents === 0 || cents >= due}
              onAct={() => {
                change({ parts: { division: { first: cents }, paid: soFar.paid } });
                setSheet(null);
              }}
            >
              {t("partRest", { rest: format.money(fromCents(Math.max(0, due - cents))) })}
            </ActButton>
          )}
        />
      )}
      {sheet === "tip" && (
        <AmountSheet
          title={t("tip")}
          onClose={() => setSheet(null)}
          acts={(cents) => (
            <ActButton
              kind="main"
              onAct={() => {
                change({ tip: cents === 0 ? null : { cents, tipped: soFar.tipped } });
                setSheet(null);
              }}
            >
              {t("done")}
            </ActButton>
          )}
        />
      )}
      {sheet === "fiscal" && (
        <FiscalSheet
          types={types}
          type={type}
          draft={draft}
          total={snapshot.totals.total}
          onChange={change}
          onClose={() => setSheet(null)}
        />
      )}
      {sheet !== null && typeof sheet === "object" && "takeBack" in sheet && (
        <TakeBackSheet
          tender={sheet.takeBack}
          method={methodName(menu, sheet.takeBack.methodId)}
          onClose={() => setSheet(null)}
          onTakeBack={(reason) => {
            const { tenderId, amount } = sheet.takeBack;
            setSheet(null);
            void acts.takeBack(tenderId, amount, reason);
          }}
        />
      )}
      {sheet !== null && typeof sheet === "object" && "credit" in sheet && (
        <CreditSheet
          method={sheet.credit.name}
          amount={sheet.asked}
          customer={draft.customer}
          onClose={() => setSheet(null)}
          onCustomer={({ id, name, rnc }) => change({ customer: { id, name }, fiscal: { type: null, rnc, name } })}
          onTake={(cents) => void take(sheet.credit, { ...askFor(cents), change: 0 })}
        />
      )}
    </div>
  );
}

/** Where the payment belongs to, the way back, and the bill before the payment. */
function PayHead({ order: { posReference, snapshot } }: { order: LocalOrder }) {
  const { t } = useTranslation("pay");
  const terminal = useTerminal();
  const titleOf = useCheckTitles();
  const [, go] = useLocation();
  const place = encodeURIComponent(posReference);
  const isOut = snapshot.status === "checkout";
  return (
    <div className="pay-head">
      <Link href={`/check/${place}`} className="act" data-size="small" aria-label={t("backToCheck")}>
        <IconChevronLeft aria-hidden />
      </Link>
      <h1>
        {titleOf(snapshot)}
        {snapshot.checkNumber != null && (
          <span className="soft"> {t("checkNumber", { number: snapshot.checkNumber })}</span>
        )}
      </h1>
      <ActButton
        size="small"
        onAct={() => {
          if (isOut || attempt(() => terminal.checkOut(posReference)) !== null) go(`/bill/${place}`);
        }}
      >
        {t("bill")}
      </ActButton>
    </div>
  );
}

function Parts({ parts, next }: { parts: readonly Part[]; next: number }) {
  const { t } = useTranslation("pay");
  const format = useFormat();
  return (
    <ol className="parts" aria-label={t("parts")}>
      {parts.map(({ amount, left }, index) => {
        const state = left === 0 ? "paid" : left < amount ? "begun" : index === next ? "next" : "open";
        return (
          <li
            key={index}
            className="mark"
            data-tone={{ paid: "good", begun: "warn", next: "accent", open: "idle" }[state]}
          >
            {format.money(fromCents(state === "begun" ? left : amount))} {t(`partStates.${state}`)}
          </li>
        );
      })}
    </ol>
  );
}

/** How the address asks to divide the check; it is cleaned, because the next check is not meant. */
function useAskedParts(posReference: string): ReturnType<typeof readParts> {
  const [asked] = useState(() => readParts(location.search));
  const [, go] = useLocation();
  useEffect(() => {
    if (asked !== null) go(`/pay/${encodeURIComponent(posReference)}?`, { replace: true });
  }, [asked, posReference, go]);
  return asked;
}

/** Two, three or four, and the number that was asked for. */
function partCounts(asked = 2): number[] {
  return [...new Set([2, 3, 4, asked])].toSorted((one, other) => one - other);
}
