import { useDebouncedValue } from "@mantine/hooks";
import type { AuditEntry } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import type { Column } from "../../components/tables/table.tsx";
import { PagedTable } from "../../components/tables/virtual-table.tsx";
import { useHubPages } from "../../lib/hub.ts";
import { useAuditTexts } from "./use-audit-texts.ts";

/** Who did what on this hub. */
export function AuditPanel() {
  const { t, format } = useTranslation(["system", "common"]);
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 250);
  const audit = useHubPages("audit", { search }, (page) => page.entries);
  const describe = useAuditTexts();
  const columns: Column<AuditEntry>[] = [
    { header: t("common:when"), width: "134px", className: "num", cell: (entry) => format.dateTime(entry.at) },
    { header: t("common:who"), width: "minmax(110px, 0.9fr)", cell: (entry) => entry.userName },
    { header: t("action"), width: "minmax(160px, 1.3fr)", cell: (entry) => describe(entry).action },
    { header: t("target"), width: "minmax(120px, 1fr)", isLong: true, cell: (entry) => describe(entry).target },
    { header: t("common:note"), width: "minmax(150px, 2fr)", isLong: true, cell: (entry) => describe(entry).note },
  ];
  return (
    <Panel title={t("tabs.audit")} about={t("auditAbout")} flush>
      <div className="tools">
        <SearchField label={t("searchAudit")} value={typed} onChange={setTyped} />
      </div>
      <PagedTable
        query={audit}
        label={t("tabs.audit")}
        columns={columns}
        rowKey={(entry) => String(entry.id)}
        height="calc(100dvh - 420px)"
        empty={{ title: t("common:nothingYet"), children: t("noAudit") }}
      />
    </Panel>
  );
}
