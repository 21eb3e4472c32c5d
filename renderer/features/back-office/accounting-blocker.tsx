import type { AccountingWait, ClosingReport } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { useBackOfficeText } from "../../components/failures/back-office-reason.ts";
import { orderPath } from "../../components/order-link.tsx";
import type { Matcher } from "@comanda/ui/search.ts";
import { useNow } from "../../lib/hub-time.ts";
import { useClosingTexts } from "./use-closing-texts.ts";

/** Where a manager resolves each wait. */
const pathOf: Record<AccountingWait, string> = {
  queue: "/back-office",
  number: "/back-office/fiscal",
  refused_number: "/back-office/fiscal",
  decision: "/back-office/attention",
  set_aside: "/back-office/attention",
};

/** The paid orders that accounting lacks: what they wait for, which they are, and where to decide. */
export function AccountingGaps({ gaps, matches }: { gaps: ClosingReport["notInAccounting"]; matches: Matcher }) {
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
