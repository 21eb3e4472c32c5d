import { isActive } from "@comanda/protocol";
import { useFormat } from "@comanda/ui/format.ts";
import { IconPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useCheckTitles } from "../../lib/check-title.ts";
import { isPaidUnsent } from "../../checks/check-lines.ts";
import { useInUse } from "../../lib/in-use.ts";
import { useLive } from "../../lib/pos.ts";
import "../../components/table-tile.css";
import "./order.css";

/** The checks without a table, and the way to a new one. */
export function TakeawayScreen() {
  const { t } = useTranslation("order");
  const format = useFormat();
  const titleOf = useCheckTitles();
  const inUse = useInUse();
  const orders = useLive("orders").filter(
    ({ tableId, snapshot }) => tableId === null && (isActive(snapshot.status) || isPaidUnsent(snapshot)),
  );
  return (
    <div className="takeaway">
      {orders.length === 0 && <p className="takeaway-none">{t("noTakeaway")}</p>}
      <ul className="floor-list">
        {orders.map(({ posReference, snapshot, pending }) => (
          <li key={posReference}>
            <Link
              href={`/check/${encodeURIComponent(posReference)}`}
              className="table-tile"
              data-tone={isPaidUnsent(snapshot) ? "warn" : "accent"}
            >
              <strong className="table-name">{titleOf(snapshot)}</strong>
              {isPaidUnsent(snapshot) && <span className="table-state">{t("paidUnsent")}</span>}
              <span className="table-facts">
                {t("lines", { count: snapshot.lines.length })} · {format.money(snapshot.totals.total)}
              </span>
              <UsedBy name={inUse(posReference)?.userName} isWaiting={pending > 0} />
            </Link>
          </li>
        ))}
      </ul>
      <div className="takeaway-tools">
        <Link href="/takeaway/new" className="act" data-kind="main">
          <IconPlus aria-hidden />
          {t("newTakeaway")}
        </Link>
      </div>
    </div>
  );
}

function UsedBy({ name, isWaiting }: { name: string | undefined; isWaiting: boolean }) {
  const { t } = useTranslation("inUse");
  return name !== undefined && <span className="table-people">{t(isWaiting ? "waitsFor" : "usedBy", { name })}</span>;
}
