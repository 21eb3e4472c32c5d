import type { PlanTable, TableCheck } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { Dialog } from "../../components/forms/dialog.tsx";
import { useTableLabel } from "../../components/labels.ts";
import { orderPath } from "../../components/order-link.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Elapsed } from "../../components/layout/time.tsx";

/** What is on a table: its checks, who works on them, and a link to each. */
export function TableDetails({ table, onClose }: { table: PlanTable; onClose: () => void }) {
  const { t } = useTranslation(["service", "common"]);
  const tableLabel = useTableLabel();
  const { detail } = table;
  return (
    <Dialog title={tableLabel(table.name)} onClose={onClose}>
      <div className="tight stack table-details">
        <p className="soft">
          {t(`common:tableStatus.${table.status}`)} · {t("seats", { count: table.seats })}
        </p>
        {detail?.lock != null && (
          <p>{t("lockedBy", { name: detail.lock.userName, terminal: detail.lock.terminalId })}</p>
        )}
        {detail?.checks.length === 0 && <p>{t("noChecks")}</p>}
        {detail?.checks.map((check) => (
          <Check key={check.posReference} check={check} />
        ))}
      </div>
    </Dialog>
  );
}

function Check({ check }: { check: TableCheck }) {
  const { t, format } = useTranslation(["service", "common"]);
  const { lease, status } = check;
  return (
    <Link href={orderPath(check.posReference)} className="stack check-card">
      <span className="spread">
        <strong>
          {check.checkNumber === null ? check.posReference : t("common:check", { number: check.checkNumber })}
        </strong>
        <strong className="num">{format.money(check.total)}</strong>
      </span>
      <span className="spread soft">
        <span>
          {check.staffName ?? "–"} · {t("guests", { count: check.guestCount })}
        </span>
        <Elapsed since={check.seatedAt} />
      </span>
      <span className="spread">
        <StatusMark tone={status === "changed" ? "warn" : "accent"}>{t(`common:status.${status}`)}</StatusMark>
        {lease !== null && (
          <span className="soft">{t("leaseOf", { name: lease.userName, terminal: lease.terminalId })}</span>
        )}
      </span>
    </Link>
  );
}
