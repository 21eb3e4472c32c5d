import type { Snapshot } from "@comanda/protocol";
import { paymentsOf, refundedAmount } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { Mark } from "@comanda/ui/mark.tsx";
import { matcherOf } from "@comanda/ui/search.ts";
import { IconPrinter } from "@tabler/icons-react";
import { memo, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { SearchField } from "../../components/search-field.tsx";
import { showNotice } from "../../lib/page/notices.ts";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { attempt } from "../../lib/page/show-refusal.ts";
import { useMenu } from "../../lib/menu/use-menu.ts";
import { useWidth } from "../../lib/page/use-width.ts";
import { useCheckTitles } from "../../lib/labels/check-title.ts";
import { fiscalStanding } from "../../receipt/fiscal-standing.ts";
import { usePrint } from "../../receipt/use-print.ts";
import { methodName } from "../../receipt/receipt.tsx";
import { PaidCheckView } from "./paid-check-view.tsx";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { searchTexts } from "../../checks/search-texts.ts";
import type { PaidCheck } from "../../checks/paid-checks.ts";
import { focusWhereLost } from "../../lib/page/focus-where-lost.ts";
import { useRecent } from "../../checks/use-recent.ts";
import "./recent.css";

/** The checks paid in this shift, with search and receipts, and those whose bill is out. */
export function RecentScreen() {
  const { t, format } = useTranslation("recent");
  const terminal = useTerminal();
  const width = useWidth();
  const { checks, staleSince, loadMore } = useRecent();
  const titleOf = useCheckTitles();
  const print = usePrint();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const matches = matcherOf(typed);
  const found = checks.filter((check) => matches(titleOf(check.snapshot), ...searchTexts(check.snapshot)));
  const shown = checks.find(({ posReference }) => posReference === chosen);
  const isOver = width === "phone" && shown !== undefined;
  return (
    <div className="recent" data-width={width} data-chosen={shown !== undefined || undefined}>
      {!isOver && (
        <section ref={focusWhereLost} className="recent-list" aria-label={t("paidChecks")} tabIndex={-1}>
          <SearchField typed={typed} onTyped={setTyped} hint={t("search")} />
          {staleSince !== null && (
            <output className="mark" data-tone="warn">
              {t("stale", { time: format.when(staleSince, terminal.now()) })}
            </output>
          )}
          <BillsOut />
          {found.length === 0 && <p className="soft">{t(typed === "" ? "nonePaid" : "nothingFound")}</p>}
          <ul>
            {found.map((check) => (
              <li key={check.posReference} className="recent-paid">
                <Row
                  check={check}
                  title={titleOf(check.snapshot)}
                  isChosen={check.posReference === chosen}
                  onChoose={setChosen}
                />
                <ActButton
                  size="small"
                  kind="quiet"
                  aria-label={t("printAgain", { name: titleOf(check.snapshot) })}
                  onAct={() => print(check, "receipt")}
                >
                  <IconPrinter aria-hidden />
                </ActButton>
              </li>
            ))}
          </ul>
          {loadMore !== null && typed === "" && (
            <ActButton kind="quiet" onAct={loadMore}>
              {t("more")}
            </ActButton>
          )}
        </section>
      )}
      {shown !== undefined && <PaidCheckView key={shown.posReference} check={shown} onClose={() => setChosen(null)} />}
    </div>
  );
}

/** Marks a check with refunds, or with one whose result is unknown. */
function RefundMark({ refunds = [] }: { refunds: Snapshot["refunds"] }) {
  const { t, format } = useTranslation("recent");
  const isUncertain = refunds.some(({ state }) => state === "pending");
  if (refunds.length === 0) return null;
  return (
    <span className="mark recent-refund" data-tone={isUncertain ? "warn" : "accent"}>
      {isUncertain ? t("refundOpen") : t("refunded", { amount: format.money(refundedAmount(refunds)) })}
    </span>
  );
}

const Row = memo(function Row({
  check,
  title,
  isChosen,
  onChoose,
}: {
  check: PaidCheck;
  title: string;
  isChosen: boolean;
  onChoose: (posReference: string) => void;
}) {
  const { t, format } = useTranslation(["recent", "order"]);
  const terminal = useTerminal();
  const menu = useMenu();
  const { snapshot, posReference } = check;
  const methods = new Set(paymentsOf(snapshot).map(({ methodId }) => methodName(menu, methodId)));
  const standing = fiscalStanding(check);
  return (
    <button type="button" className="recent-row" aria-pressed={isChosen} onClick={() => onChoose(posReference)}>
      <strong>
        {title}
        {snapshot.checkNumber != null && (
          <span className="soft"> {t("order:checkNumber", { number: snapshot.checkNumber })}</span>
        )}
      </strong>
      <strong className="money">{format.money(snapshot.totals.total)}</strong>
      <span className="soft">
        {joinWithDots(format.when(check.paidAt, terminal.now()), snapshot.staffName, format.list([...methods]))}
      </span>
      <span className="recent-ncf">
        {standing.state === "assigned" && standing.ncf}
        {standing.state === "pending" && <Mark tone="warn">{t("ncfPending")}</Mark>}
        {standing.state === "failed" && <Mark tone="bad">{t("ncfFailed")}</Mark>}
        {isPaidUnsent(snapshot) && <Mark tone="warn">{t("unsent")}</Mark>}
        {check.paymentRefused && <Mark tone="bad">{t("refused")}</Mark>}
      </span>
      <RefundMark refunds={snapshot.refunds} />
    </button>
  );
});

/** Checks whose bill was requested: locked until they are paid or reopened. */
function BillsOut() {
  const { t, format } = useTranslation(["recent", "common", "pay"]);
  const terminal = useTerminal();
  const titleOf = useCheckTitles();
  const out = useLive("orders").filter(({ snapshot }) => snapshot.status === "checkout");
  if (out.length === 0) return null;
  const reopen = ({ posReference, snapshot }: LocalOrder): void => {
    if (attempt(() => terminal.reopen(posReference)) === null) return;
    showNotice({
      text: t("reopened", { name: titleOf(snapshot) }),
      act: { label: t("common:undo"), run: () => void attempt(() => terminal.checkOut(posReference)) },
    });
  };
  return (
    <>
      <h2 className="recent-part">{t("billsOut")}</h2>
      <ul>
        {out.map((order) => (
          <li key={order.posReference} className="recent-bill">
            <Link href={`/pay/${encodeURIComponent(order.posReference)}`} className="recent-row">
              <strong>{titleOf(order.snapshot)}</strong>
              <strong className="money">{format.money(order.snapshot.totals.total)}</strong>
            </Link>
            <ActButton size="small" onAct={() => reopen(order)}>
              {t("pay:reopen")}
            </ActButton>
          </li>
        ))}
      </ul>
      <h2 className="recent-part">{t("paidChecks")}</h2>
    </>
  );
}
