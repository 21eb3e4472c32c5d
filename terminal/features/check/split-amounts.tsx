import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { partsOfDue } from "./split-parts.ts";

/** The amount in equal parts, or one that somebody pays, which are taken one by one. */
export function SplitAmounts({ order: { posReference, snapshot } }: { order: LocalOrder }) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const amounts = [2, 3, 4, 5, 6].map((count) => partsOfDue(snapshot, count));
  return (
    <>
      <h3>{t("equalParts")}</h3>
      <div className="check-chips">
        {amounts.map((each) => (
          <Link
            key={each.length}
            href={`/pay/${encodeURIComponent(posReference)}?parts=${each.length}`}
            className="act target"
          >
            <strong>÷ {each.length}</strong>
            <span className="target-about">{format.money(each[0] ?? 0)}</span>
          </Link>
        ))}
        <Link href={`/pay/${encodeURIComponent(posReference)}?parts=amount`} className="act target">
          <strong>{t("byAmount")}</strong>
          <span className="target-about">{t("byAmountAbout")}</span>
        </Link>
      </div>
    </>
  );
}
