import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { LeaseList } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Confirm } from "../../../components/confirm.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { hubKey } from "../../../lib/hub-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useLeases } from "../api/leases.ts";
import { releaseLease } from "../api/release-lease.ts";

type Row = LeaseList["leases"][number];

/** Which checks are in use and by whom; each can be released. */
export function LeaseTable() {
  const { t } = useTranslation("terminals");
  const leases = useLeases();
  const [chosen, setChosen] = useState<Row | null>(null);
  return (
    <Panel title={t("tabLeases")} flush>
      <Loaded query={leases}>
        {(list) =>
          list.leases.length === 0 ? (
            <Empty title={t("noLeasesTitle")}>{t("noLeases")}</Empty>
          ) : (
            <div className="table-scroll">
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{t("order")}</th>
                    <th scope="col">{t("holder")}</th>
                    <th scope="col">{t("role")}</th>
                    <th scope="col">{t("state")}</th>
                    <th scope="col">{t("until")}</th>
                    <th scope="col">
                      <span className="visually-hidden">{t("actions")}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {list.leases.map((lease) => (
                    <LeaseRow key={lease.leaseId} lease={lease} onRelease={() => setChosen(lease)} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      {chosen !== null && <Ask lease={chosen} onClose={() => setChosen(null)} />}
    </Panel>
  );
}

function LeaseRow({ lease, onRelease }: { lease: Row; onRelease: () => void }) {
  const { t } = useTranslation("terminals");
  const format = useFormat();
  return (
    <tr>
      <td>
        <Link href={`/orders/${encodeURIComponent(lease.posReference)}`}>{lease.posReference}</Link>
      </td>
      <td>
        {lease.userName} <span className="soft">{lease.terminalId}</span>
      </td>
      <td>{t(`roles.${lease.role}`)}</td>
      <td>
        <StatusMark tone={lease.connected ? "good" : "warn"}>
          {t(lease.connected ? "states.connected" : "states.grace")}
        </StatusMark>
      </td>
      <td className="num">{format.timeExact(lease.expiresAt)}</td>
      <td className="right">
        <Button
          variant="default"
          size="xs"
          onClick={onRelease}
          aria-label={t("releaseTitle", { reference: lease.posReference })}
        >
          {t("release")}
        </Button>
      </td>
    </tr>
  );
}

function Ask({ lease, onClose }: { lease: Row; onClose: () => void }) {
  const { t } = useTranslation("terminals");
  const queries = useQueryClient();
  const reference = lease.posReference;
  return (
    <Confirm
      open
      danger
      onClose={onClose}
      title={t("releaseTitle", { reference })}
      action={t("release")}
      run={async () => {
        await releaseLease(reference);
        await queries.invalidateQueries({ queryKey: hubKey("leases") });
        notifications.show({ message: t("released", { reference }), color: "petrol" });
      }}
    >
      {t("releaseBody", { name: lease.userName, terminal: lease.terminalId })}
    </Confirm>
  );
}
