import type { LeaseList } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { useOrderLabels } from "../../components/labels.ts";
import { orderColumn } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { matcherOf } from "@comanda/ui/search.ts";

type Lease = LeaseList["leases"][number];

/** Which checks are in use and by whom; each can be released. */
export function LeaseTable() {
  const { t } = useTranslation(["terminals", "common"]);
  const labels = useOrderLabels();
  const columns = useColumns();
  const release = ({ posReference, userName, terminalId }: Lease): Action => ({
    label: t("release"),
    name: t("releaseOf", { reference: posReference }),
    confirm: {
      title: t("releaseOf", { reference: posReference }),
      body: t("releaseBody", { name: userName, terminal: terminalId }),
      danger: true,
    },
    run: () => callHub("releaseLease", { params: { posReference } }),
    done: t("released", { reference: posReference }),
  });
  const leases = useHub("leases");
  const [search, setSearch] = useState("");
  const matches = matcherOf(search);
  return (
    <Panel title={t("tabs.leases")} flush>
      <div className="tools">
        <SearchField label={t("searchLeases")} value={search} onChange={setSearch} />
      </div>
      <Loaded query={leases}>
        {(list) => (
          <Table
            columns={columns}
            rows={list.leases.filter(({ posReference, userName, terminalId, place }) =>
              matches(posReference, userName, terminalId, place === null ? "" : labels.place(place)),
            )}
            rowKey={(lease) => lease.leaseId}
            actions={(lease) => [release(lease)]}
            empty={
              list.leases.length > 0
                ? { title: t("common:nothingFoundTitle"), children: t("common:nothingFound") }
                : { title: t("noLeasesTitle"), children: t("noLeases") }
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}

function useColumns(): Column<Lease>[] {
  const { t } = useTranslation(["terminals", "common"]);
  const format = useFormat();
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
