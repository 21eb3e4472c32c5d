import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { AuditEntry } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { Panel } from "../../../components/panel.tsx";
import { VirtualTable, type Column } from "../../../components/virtual-table.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useAudit } from "../api/audit.ts";

/** Who did what on this hub. */
export function AuditPanel() {
  const { t } = useTranslation("system");
  const [search, setSearch] = useState("");
  const [typed] = useDebouncedValue(search.trim(), 250);
  const audit = useAudit(typed);
  const columns = useColumns();
  const rows = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Panel title={t("audit")} about={t("auditAbout")} flush>
      <div className="system-tools">
        <TextInput
          className="grow"
          type="search"
          aria-label={t("searchAudit")}
          placeholder={t("searchAudit")}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {audit.error !== null && <ErrorNotice error={audit.error} onRetry={() => void audit.refetch()} />}
      {audit.data !== undefined && rows.length === 0 ? (
        <Empty title={t("noAuditTitle")}>{t("noAudit")}</Empty>
      ) : (
        <VirtualTable
          label={t("audit")}
          columns={columns}
          rows={rows}
          rowKey={(entry) => String(entry.id)}
          onEnd={audit.hasNextPage && !audit.isFetchingNextPage ? () => void audit.fetchNextPage() : undefined}
          height="calc(100dvh - 420px)"
        />
      )}
    </Panel>
  );
}

function useColumns(): Column<AuditEntry>[] {
  const { t } = useTranslation("system");
  const format = useFormat();
  return [
    {
      id: "at",
      header: t("when"),
      width: "150px",
      cell: (entry) => <span className="num">{format.dateTime(entry.at)}</span>,
    },
    { id: "who", header: t("who"), width: "minmax(140px, 1fr)", cell: (entry) => entry.userName },
    {
      id: "action",
      header: t("action"),
      width: "180px",
      cell: (entry) => <span className="mono">{entry.action}</span>,
    },
    { id: "target", header: t("target"), width: "minmax(180px, 1.4fr)", cell: (entry) => entry.target },
    { id: "note", header: t("note"), width: "minmax(180px, 1.6fr)", cell: (entry) => entry.note ?? "" },
  ];
}
