import { Modal } from "@mantine/core";
import type { PlanTable, TableCheck } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Lasting } from "../../../components/age.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useTableWords } from "../../../components/use-table-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import "./table-details.css";

/** What is on a table: its checks, who works on them, and the way to each. */
export function TableDetails({ table, onClose }: { table: PlanTable | null; onClose: () => void }) {
  const { t } = useTranslation(["service", "common"]);
  const tableWords = useTableWords();
  return (
    <Modal
      opened={table !== null}
      onClose={onClose}
      centered
      title={table === null ? "" : tableWords(table.name)}
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      {table !== null && (
        <div className="table-details">
          <p className="soft">
            {t(`common:tableStatus.${table.status}`)} · {t("service:seats", { count: table.seats })}
          </p>
          {table.detail?.lock != null && (
            <p>{t("service:lockedBy", { name: table.detail.lock.userName, terminal: table.detail.lock.terminalId })}</p>
          )}
          {table.detail?.checks.length === 0 && <p>{t("service:noChecks")}</p>}
          {table.detail?.checks.map((check) => (
            <Check key={check.posReference} check={check} />
          ))}
        </div>
      )}
    </Modal>
  );
}

function Check({ check }: { check: TableCheck }) {
  const { t } = useTranslation(["service", "common"]);
  const format = useFormat();
  return (
    <Link href={`/orders/${encodeURIComponent(check.posReference)}`} className="check-card">
      <span className="check-head">
        <strong>
          {check.checkNumber === null ? check.posReference : t("common:check", { number: check.checkNumber })}
        </strong>
        <strong className="num">{format.money(check.total)}</strong>
      </span>
      <span className="check-head soft">
        <span>
          {check.staffName ?? "–"} · {t("service:guests", { count: check.guestCount })}
        </span>
        <Lasting since={check.createdAt} />
      </span>
      <span className="check-head">
        <StatusMark tone={check.status === "changed" ? "warn" : "accent"}>
          {t(`common:status.${check.status}`)}
        </StatusMark>
        {check.lease !== null && (
          <span className="soft">
            {t("service:leaseOf", { name: check.lease.userName, terminal: check.lease.terminalId })}
          </span>
        )}
      </span>
    </Link>
  );
}
