import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { ClosingReport, AccountingWait } from "@comanda/protocol";
import { Children, useState, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { Loaded, LoadedPanel } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { PrintButton } from "../../components/report-buttons.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import { SoldParts } from "../../components/sold-parts.tsx";
import { StatusMark, toneIcon } from "../../components/layout/status-mark.tsx";
import { useHub } from "../../lib/hub.ts";
import { subtract } from "@comanda/rules";
import { matcherOf, type Matcher } from "@comanda/ui/search.ts";
import { useNow } from "../../lib/hub-time.ts";
import { useBlockers } from "./closing-blockers.ts";
import { ClosingSheet } from "./closing-sheet.tsx";
import { sumOf, useClosingTexts } from "./use-closing-texts.ts";
import { SequenceTable } from "./fiscal-panels.tsx";
import { useSheet } from "./use-sheet.ts";
import { useBackOfficeText } from "../../components/failures/back-office-reason.ts";
import { orderPath } from "../../components/order-link.tsx";

/** How many items are listed per kind. The search finds the rest. */
const LISTED = 30;

/** Shows whether the shift can be closed, everything that prevents it, and what the register has taken. */
export function ClosingPanel() {
  const { t } = useTranslation(["backOffice", "sales"]);
  const closing = useHub("closing");
  const sequences = useHub("fiscal").data?.sequences;
  const sales = useHub("sales");
  const { isDrawn, sheet, print, save } = useSheet(() => Promise.all([closing.refetch(), sales.refetch()]));
  return (
    <Loaded query={closing} height={320}>
      {(report) => (
        <>
          <Verdict report={report}>
            <PrintButton onClick={print} />
            <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
              {t("savePage")}
            </Button>
          </Verdict>
          <div className="panel-grid">
            <Blockers report={report} />
            <div className="stack">
              <Sales totals={report.totals} />
              <LoadedPanel title={t("sales:title")} about={t("sales:about")} query={sales}>
                {(sold) => <SoldParts sales={sold} />}
              </LoadedPanel>
            </div>
          </div>
          {sequences !== undefined && <SequenceTable sequences={sequences} />}
          {isDrawn && <ClosingSheet ref={sheet} report={report} sales={sales.data} />}
        </>
      )}
    </Loaded>
  );
}

function Verdict({ report: { checkedAt, ready }, children }: { report: ClosingReport; children: ReactNode }) {
  const { t, format } = useTranslation("backOffice");
  const now = useNow();
  const tone = ready ? "good" : "warn";
  const Icon = toneIcon[tone];
  return (
    <div className="tight row verdict" data-tone={tone}>
      <Icon size={44} aria-hidden />
      <div role="status">
        <p className="verdict-answer">{t(ready ? "ready" : "notReady")}</p>
        <p>{t(ready ? "readyAbout" : "notReadyAbout")}</p>
      </div>
      <div className="verdict-side">
        <span className="soft">{t("checked", { ago: format.ago(checkedAt, now) })}</span>
        <div className="button-row">{children}</div>
      </div>
    </div>
  );
}

function Blockers({ report }: { report: ClosingReport }) {
  const { t, format } = useTranslation("backOffice");
  const now = useNow();
  const [search, setSearch] = useState("");
  const matches = matcherOf(search);
  const blockers = useBlockers(report, now, (iso) => format.when(iso, now));
  return (
    <Panel title={t("closing")}>
      <SearchField label={t("searchClosing")} value={search} onChange={setSearch} />
      <ul className="plain-list divided">
        {blockers.map((blocker) => (
          <Blocker key={blocker.name} name={t(`blocker.${blocker.name}`)} count={blocker.count}>
            {blocker.items
              .filter(({ reference, name, text, solver }) => matches(reference, name, text, solver))
              .map(({ key, name, path, text, solver }) => (
                <li key={key}>
                  {path === undefined ? name : <Link href={path}>{name}</Link>}
                  {text !== undefined && `: ${text}`}
                  {solver !== undefined && <span className="soft blocker-note">{solver}</span>}
                </li>
              ))}
          </Blocker>
        ))}
        <Blocker
          name={t("blocker.unforwarded")}
          count={sumOf(report.notInAccounting)}
          amount={format.money(report.totals.notYetInAccounting)}
          isLong
        >
          <AccountingGaps gaps={report.notInAccounting} matches={matches} />
        </Blocker>
      </ul>
    </Panel>
  );
}

interface BlockerProps {
  name: string;
  count: number;
  /** The sum of the items. */
  amount?: string;
  /** Its items are sentences, one below the other. */
  isLong?: boolean;
  children: ReactNode;
}

function Blocker({ name, count, amount, isLong = false, children }: BlockerProps) {
  const { t, format } = useTranslation("backOffice");
  const found = [format.number(count), amount].filter(Boolean).join(" · ");
  const items = Children.toArray(children);
  const more = isLong ? 0 : items.length - LISTED;
  return (
    <li>
      <div className="spread">
        <span>{name}</span>
        <StatusMark tone={count === 0 ? "good" : "warn"}>{count === 0 ? t("clear") : found}</StatusMark>
      </div>
      {count > 0 && (
        <ul className={`plain-list ${isLong ? "blocker-sentences" : "blocker-items"}`}>
          {more > 0 ? items.slice(0, LISTED) : items}
          {more > 0 && <li className="soft">{t("moreItems", { count: more })}</li>}
        </ul>
      )}
    </li>
  );
}

function Sales({ totals }: Pick<ClosingReport, "totals">) {
  const { t, format } = useTranslation("backOffice");
  const texts = useClosingTexts();
  const { paidAmount, paidOrders, notYetInAccounting, tips, refunds, byMethod } = totals;
  return (
    <Panel title={t("sales")} about={t("salesAbout")}>
      <p className="big-number num">{format.money(subtract(paidAmount, refunds?.amount ?? 0))}</p>
      <Facts
        items={[
          fact(t("paidOrders"), format.number(paidOrders)),
          refunds !== undefined && fact(t("taken"), format.money(paidAmount)),
          refunds !== undefined && fact(t("refunds", { count: refunds.notes }), format.money(-refunds.amount)),
          fact(t("notYet"), format.money(notYetInAccounting)),
          ...byMethod.map(({ methodId, amount, tips: methodTips, refunded = 0 }) =>
            fact(
              texts.method(methodId),
              [
                format.money(subtract(amount, refunded)),
                refunded > 0 && t("refundedOfIt", { amount: format.money(refunded) }),
                methodTips !== undefined && t("tipsWithIt", { amount: format.money(methodTips) }),
              ]
                .filter(Boolean)
                .join(" · "),
            ),
          ),
          tips !== undefined && fact(t("tips"), format.money(tips)),
        ]}
      />
    </Panel>
  );
}

/** Where a manager resolves each wait. */
const pathOf: Record<AccountingWait, string> = {
  queue: "/back-office",
  number: "/back-office/fiscal",
  refused_number: "/back-office/fiscal",
  decision: "/back-office/attention",
  set_aside: "/back-office/attention",
};

/** The paid orders that accounting lacks: what they wait for, which they are, and where to decide. */
function AccountingGaps({ gaps, matches }: { gaps: ClosingReport["notInAccounting"]; matches: Matcher }) {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const texts = useClosingTexts();
  const backOfficeText = useBackOfficeText();
  const now = useNow();
  return gaps.map((gap) => (
    <li key={gap.waitsFor} className="accounting-gap">
      {(gap.waitsFor === "number" || gap.waitsFor === "refused_number") && <strong>{t("blocker.numbers")} · </strong>}
      {texts.gap(gap, now)} <Link href={pathOf[gap.waitsFor]}>{t(`decide.${gap.waitsFor}`)}</Link>
      <ul className="plain-list blocker-items">
        {gap.oldest
          .filter((order) => matches(order.posReference, texts.check(order), order.note, order.error?.words))
          .map(({ total, note, error, ...order }) => (
            <li key={order.posReference}>
              <Link href={orderPath(order.posReference)}>{texts.check(order)}</Link>{" "}
              {total !== null && <span className="num">{format.money(total)}</span>}
              {(note ?? error) !== null && (
                <span className="soft blocker-note">{note ?? backOfficeText(error ?? {})}</span>
              )}
            </li>
          ))}
        {gap.orders > gap.oldest.length && <li>{t("common:andMore", { count: gap.orders - gap.oldest.length })}</li>}
      </ul>
    </li>
  ));
}
