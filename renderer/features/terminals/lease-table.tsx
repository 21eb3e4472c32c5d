import type { LeaseList } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { useOrderLabels } from "../../components/labels.ts";
import { orderColumn } from "../../components/order-link.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { SearchedPanel } from "../../components/tables/searched-panel.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { callHub, useHub } from "../../lib/hub.ts";

type Lease = LeaseList["leases"][number];

/** The checks in use, and by whom. Each can be released. */
export function LeaseTable() {
  const { t } = useTranslation("terminals");
  const labels = useOrderLabels();
  const release = ({ posReference, userName, terminalId }: Lease): Action => ({
    label: t("release"),
    name: t("releaseOf", { reference: posReference }),
    confirm: { body: t("releaseBody", { name: userName, terminal: terminalId }), danger: true },
    run: () => callHub("releaseLease", { params: { posReference } }),
    done: t("released", { reference: posReference }),
  });
  return (
    <SearchedPanel
      title={t("tabs.leases")}
      searchLabel={t("searchLeases")}
      query={useHub("leases")}
      columns={useColumns()}
      rows={({ leases }) => leases}
      rowKey={(lease) => lease.leaseId}
      textsOf={({ posReference, userName, terminalId, place }) => [
        posReference,
        userName,
        terminalId,
        place && labels.place(place),
      ]}
      actions={(lease) => [release(lease)]}
      empty={{ title: t("noLeasesTitle"), children: t("noLeases") }}
    />
  );
}

function useColumns(): Column<Lease>[] {
  const { t, format } = useTranslation(["terminals", "common"]);
  return [
    orderColumn(t("common:order")),
    {
      header: t("holder"),
      cell: (lease) => (
        <>
          {lease.userName} <span className="soft">{lease.terminalId}</span>
        </>
      ),
    },
    { header: t("role"), cell: (lease) => t(`roles.${lease.role}`) },
    {
      header: t("common:state"),
      cell: ({ connected }) => (
        <StatusMark tone={connected ? "good" : "warn"}>{t(`states.${connected ? "connected" : "grace"}`)}</StatusMark>
      ),
    },
    { header: t("common:until"), className: "num", cell: (lease) => format.timeExact(lease.expiresAt) },
  ];
}
