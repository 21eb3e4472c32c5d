import { fromCents, hasChargedLines, openTenders, tipShares } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { IconFileInvoice, IconChevronLeft } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton, isSameTap } from "@comanda/ui/act-button.tsx";
import { SoldOutStrip } from "../../checks/sold-out-strip.tsx";
import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { focusWhereLost } from "../../lib/page/focus-where-lost.ts";
import { useWidth } from "../../lib/page/use-width.ts";
import { InUseStrip } from "../../people/in-use-strip.tsx";
import { Receipt, methodName } from "../../receipt/receipt.tsx";
import { NumbersLeft, useScarceNumbers } from "./numbers-left.tsx";
import { PayDue } from "./pay-due.tsx";
import { PayMethods } from "./pay-methods.tsx";
import { PaySheets } from "./pay-sheets.tsx";
import { usePayment, type Payment } from "./use-payment.ts";
import { Link, useLocation } from "wouter";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { attempt } from "../../lib/page/show-refusal.ts";
import type { Tender } from "@comanda/protocol";
import { useForeignMoney } from "../../lib/labels/foreign-money.ts";

/** Takes the payments of a check one by one: the amount due on one side, the ways to pay on the other. */
export function TakePayment({
  order,
  menu,
  onChange,
}: {
  order: LocalOrder;
  menu: MenuIndex;
  /** Called with the change to give back. */
  onChange: (amount: number) => void;
}) {
  const { t } = useTranslation("pay");
  const width = useWidth();
  const payment = usePayment(order, menu, onChange);
  return (
    <div className="pay-place">
      <div className="pay" data-width={width}>
        <section className="rows pay-state">
          <PayHead order={order} />
          <PayDue order={order} payment={payment.asking} />
          <TenderList
            tenders={openTenders(order.snapshot)}
            menu={menu}
            onTakeBack={(tender) => payment.setSheet({ takeBack: tender })}
          />
        </section>
        <section
          className="pay-acts"
          aria-label={t("pay")}
          // Ignores the second tap of a double tap that opened the payment or took a part.
          onClickCapture={(click) => {
            if (isSameTap(click.timeStamp)) click.stopPropagation();
          }}
        >
          <InUseStrip order={order} waits="payLater" />
          <SoldOutStrip order={order} menu={menu} />
          {hasChargedLines(order.snapshot) ? <PayOptions payment={payment} /> : <p>{t("takeBackFirst")}</p>}
        </section>
        {width === "pc" && (
          <aside className="receipt-place">
            <Receipt order={order} kind="bill" />
          </aside>
        )}
        <PaySheets payment={payment} menu={menu} />
      </div>
    </div>
  );
}

/** The options of the next payment, and the ways to pay it. */
function PayOptions({ payment }: { payment: Payment }) {
  const { t } = useTranslation(["pay", "check"]);
  const isDue = payment.asking.due > 0;
  return (
    <>
      <FiscalChoice payment={payment} />
      {isDue && <TipRow payment={payment} />}
      {isDue && <PartsRow payment={payment} />}
      <fieldset className="pay-ways" disabled={payment.isInUse}>
        {isDue ? (
          <PayMethods payment={payment} />
        ) : (
          <ActButton kind="money" onAct={payment.close}>
            {t("check:endCheck")}
          </ActButton>
        )}
      </fieldset>
    </>
  );
}

/** The fiscal number that the check gets, and its buyer. */
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

/** The tip of the next payment. */
function TipRow({ payment: { draft, change, asking, setSheet } }: { payment: Payment }) {
  const { t, format } = useTranslation(["pay", "check"]);
  const { tip } = draft;
  const { before, tipped } = asking;
  return (
    <>
      <fieldset className="pay-row" aria-label={t("check:adjustment.tip")}>
        <span>{t("check:adjustment.tip")}</span>
        <ActButton size="small" aria-pressed={tip === null} onAct={() => change({ tip: null })}>
          0
        </ActButton>
        {tipShares.map((percent) => (
          <ActButton
            key={percent}
            size="small"
            aria-pressed={tip !== null && "percent" in tip && tip.percent === percent}
            onAct={() => change({ tip: { percent, before } })}
          >
            {percent} %
          </ActButton>
        ))}
        <ActButton size="small" aria-pressed={tip !== null && "cents" in tip} onAct={() => setSheet("tip")}>
          {t("other")}
        </ActButton>
      </fieldset>
      <p className="pay-tip-note soft">{t("tipOn", { amount: format.money(fromCents(tipped)) })}</p>
    </>
  );
}

/** Divides the rest of the check into equal parts, or by an amount. */
function PartsRow({ payment: { draft, change, asking, setSheet } }: { payment: Payment }) {
  const { t } = useTranslation(["pay", "check"]);
  const division = draft.parts?.division;
  const equalParts = division !== undefined && "count" in division ? division.count : undefined;
  return (
    <fieldset className="pay-row" aria-label={t("check:parts")}>
      <span>{t("check:parts")}</span>
      <ActButton size="small" aria-pressed={division === undefined} onAct={() => change({ parts: null })}>
        1
      </ActButton>
      {partCounts(equalParts).map((count) => (
        <ActButton
          key={count}
          size="small"
          aria-pressed={equalParts === count}
          onAct={() => change({ parts: { division: { count }, before: asking.before } })}
        >
          ÷{count}
        </ActButton>
      ))}
      <ActButton
        size="small"
        aria-pressed={division !== undefined && equalParts === undefined}
        onAct={() => setSheet("part")}
      >
        {t("partAmount")}
      </ActButton>
    </fieldset>
  );
}

/** Two, three, four, and the number of parts asked for. */
function partCounts(count = 2): number[] {
  return [...new Set([2, 3, 4, count])].toSorted((one, other) => one - other);
}

/** Title of the check, back button, and the bill. */
function PayHead({ order: { posReference, snapshot } }: { order: LocalOrder }) {
  const { t } = useTranslation(["pay", "order"]);
  const terminal = useTerminal();
  const titleOf = useCheckTitles();
  const [, go] = useLocation();
  const place = encodeURIComponent(posReference);
  const isOut = snapshot.status === "checkout";
  return (
    <div className="row pay-head">
      <Link href={`/check/${place}`} className="act" data-size="small" aria-label={t("backToCheck")}>
        <IconChevronLeft aria-hidden />
      </Link>
      <h1 ref={focusWhereLost} tabIndex={-1}>
        <span className="pay-name">{titleOf(snapshot)}</span>
        {snapshot.checkNumber != null && (
          <span className="soft"> {t("order:checkNumber", { number: snapshot.checkNumber })}</span>
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

/** The payments on a check, with who took each. */
function TenderList({
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
