import type { AccountingWait, ClosingReport } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { useBackOfficeText } from "../../components/failures/back-office-reason.ts";
import { orderPath } from "../../components/order-link.tsx";
import type { Matcher } from "@comanda/ui/search.ts";
import { useNow } from "../../lib/hub-time.ts";
import { useClosingWords } from "./closing-words.ts";

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
  const words = useClosingWords();
  const backOfficeText = useBackOfficeText();
  const now = useNow();
  return gaps.map((gap) => (
    <li key={gap.waitsFor} className="accounting-gap">
      {(gap.waitsFor === "number" || gap.waitsFor === "refused_number") && <strong>{t("blocker.numbers")} · </strong>}
      {words.gap(gap, now)} <Link href={pathOf[gap.waitsFor]}>{t(`decide.${gap.waitsFor}`)}</Link>
      <ul className="plain-list blocker-items">
        {gap.oldest
          .filter((order) => matches(order.posReference, words.check(order), order.note, order.error?.words))
          .map(({ total, note, error, ...order }) => (
            <li key={order.posReference}>
              <Link href={orderPath(order.posReference)}>{words.check(order)}</Link>{" "}
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
