import type { ClosingReport, SalesReport } from "@comanda/protocol";
import type { RefObject } from "react";
import { subtract } from "@comanda/rules";
import { createPortal } from "react-dom";
import { localeOf, useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { wallTime } from "@comanda/ui/zoned-time.ts";
import { useSoldParts } from "../../components/sold-parts.tsx";
import { useHub } from "../../lib/hub.ts";
import { useSession } from "../../lib/session.ts";
import { useBlockers } from "./closing-blockers.ts";
import { sumOf, useClosingTexts } from "./use-closing-texts.ts";
import "./closing-sheet.css";

/** Lines per list that fit on one page. For the rest, the sheet gives their number. */
const LINES = 10;

interface ClosingSheetProps {
  report: ClosingReport;
  /** Undefined if it could not be read. */
  sales: SalesReport | undefined;
  ref: RefObject<HTMLElement | null>;
}

/** The closing on one sheet of paper, in the restaurant's time: what was taken, what is missing, and a line to sign. */
export function ClosingSheet({ report, sales, ref }: ClosingSheetProps) {
  const { t } = useTranslation(["backOffice", "sales"]);
  const session = useSession();
  const restaurant = useHub("overview").data?.hub.name ?? "";
  const { checkedAt, ready, timeZone, totals } = report;
  const at = useMoment(timeZone);
  // Outside the page's root element, so that the sheet can be printed alone.
  return createPortal(
    <article className="closing-sheet" ref={ref} data-name={fileNameOf(t("sheet.file"), checkedAt, timeZone)}>
      <header>
        <h1>{restaurant}</h1>
        <p className="sheet-title">{t("sheet.title")}</p>
        <p>{at(checkedAt)}</p>
        {report.session !== null && (
          <p>{t("sheet.session", { name: report.session.name ?? "–", since: at(report.session.since) })}</p>
        )}
      </header>
      <p className="sheet-verdict">{t(ready ? "sheet.ready" : "sheet.notReady")}</p>
      <Takings totals={totals} />
      {sales !== undefined && (
        <section>
          <h2>{t("sales:title")}</h2>
          <SheetParts sales={sales} />
        </section>
      )}
      <ClosingBlockers report={report} />
      <footer>
        <div className="sheet-signatures">
          <p>{t("sheet.handsOver", { name: session.state === "out" ? "" : session.user.name })}</p>
          <p>{t("sheet.receives")}</p>
        </div>
        <p className="sheet-small">{t("sheet.source", { timeZone })}</p>
      </footer>
    </article>,
    document.body,
  );
}

/** Returns a function that formats a time in full, in the restaurant's time zone. */
function useMoment(timeZone: string): (iso: string) => string {
  const { language } = useTranslation("backOffice");
  const moment = new Intl.DateTimeFormat(localeOf[language], { dateStyle: "full", timeStyle: "short", timeZone });
  return (iso) => moment.format(new Date(iso));
}

/** Everything that prevents closing the shift, in two columns so that the sheet fits on one page. */
function ClosingBlockers({ report }: Pick<ClosingSheetProps, "report">) {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const texts = useClosingTexts();
  const now = Date.parse(report.checkedAt);
  const blockers = useBlockers(report, now, useMoment(report.timeZone));
  const { notInAccounting, totals } = report;
  const gaps = notInAccounting.map((gap) => {
    const named = gap.oldest
      .slice(0, LINES)
      .map((order) => [texts.check(order), order.note].filter(Boolean).join(": "));
    const more = gap.orders - named.length;
    const orders = more > 0 ? [...named, t("common:andMore", { count: more })] : named;
    return `${texts.gap(gap, now)} ${orders.join(", ")}`;
  });
  return (
    <div className="sheet-in-the-way">
      <Section
        title={t("blocker.unforwarded")}
        total={[format.number(sumOf(notInAccounting)), format.money(totals.notYetInAccounting)].join(" · ")}
        items={gaps}
      />
      {blockers
        .filter(({ name }) => name !== "waitingPrints")
        .map(({ name, count, items }) => (
          <Section
            key={name}
            title={t(`blocker.${name}`)}
            total={count === 0 ? t("clear") : format.number(count)}
            items={items.flatMap(({ name: what, text }) => (text === undefined ? [] : [`${what}: ${text}`]))}
          />
        ))}
    </div>
  );
}

/** What was taken by each method, and what is left after refunds. */
function Takings({ totals }: Pick<ClosingReport, "totals">) {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const texts = useClosingTexts();
  const hasRefunds = totals.refunds !== undefined;
  return (
    <section>
      <h2>{t("sales")}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("sheet.method")}</th>
            <th scope="col">{t("sheet.payments")}</th>
            <th scope="col">{t("common:amount")}</th>
            {hasRefunds && <th scope="col">{t("sheet.refunded")}</th>}
            <th scope="col">{t("tips")}</th>
          </tr>
        </thead>
        <tbody>
          {totals.byMethod.map(({ methodId, payments, amount, refunded = 0, tips = 0 }) => (
            <tr key={methodId}>
              <td>{texts.method(methodId)}</td>
              <td>{format.number(payments)}</td>
              <td>{format.money(amount)}</td>
              {hasRefunds && <td>{format.money(-refunded)}</td>}
              <td>{format.money(tips)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{t("sheet.total", { count: totals.paidOrders })}</td>
            <td />
            <td>{format.money(totals.paidAmount)}</td>
            {hasRefunds && <td>{format.money(-(totals.refunds?.amount ?? 0))}</td>}
            <td>{format.money(totals.tips ?? 0)}</td>
          </tr>
          {totals.refunds !== undefined && (
            <tr>
              <td>{t("sheet.net", { count: totals.refunds.notes })}</td>
              <td />
              <td>{format.money(subtract(totals.paidAmount, totals.refunds.amount))}</td>
              <td />
              <td />
            </tr>
          )}
        </tfoot>
      </table>
    </section>
  );
}

/** Side by side, so that the sheet fits on one page. */
function SheetParts({ sales }: { sales: SalesReport }) {
  const format = useFormat();
  return (
    <dl className="sheet-parts">
      {useSoldParts()(sales).map(({ name, amount }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{format.money(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Section({ title, total, items }: { title: string; total: string; items: readonly string[] }) {
  const { t } = useTranslation("common");
  return (
    <section>
      <h2>
        {title}: {total}
      </h2>
      {items.length > 0 && (
        <ul>
          {items.slice(0, LINES).map((item, index) => (
            // The items of a sheet never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>{item}</li>
          ))}
          {items.length > LINES && <li>{t("andMore", { count: items.length - LINES })}</li>}
        </ul>
      )}
    </section>
  );
}

/** Returns a name such as cierre-2026-11-22-2145. */
function fileNameOf(name: string, iso: string, timeZone: string): string {
  const [day = "", time = ""] = wallTime(Date.parse(iso), timeZone).split(" ");
  return `${name}-${day}-${time.slice(0, 5).replace(":", "")}`;
}
