import type { PluginRecord } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { Action } from "../../components/forms/action-button.tsx";
import { LoadedPanel } from "../../components/tables/loaded.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { callHub, useHub } from "../../lib/hub.ts";

/** Records that integrations have published for the terminals. */
export function PluginPanel() {
  const { t, format } = useTranslation(["integrations", "common"]);
  const columns = useColumns();
  const remove = ({ pluginId, key }: PluginRecord): Action => ({
    label: t("common:remove"),
    name: t("deleteOf", { name: key }),
    confirm: { body: t("deleteRecordBody"), danger: true },
    run: () => callHub("deletePluginRecord", { params: { pluginId, key } }),
  });
  return (
    <LoadedPanel title={t("plugins")} about={t("pluginsAbout")} flush query={useHub("plugins")}>
      {({ enabled, records }) => (
        <Table
          columns={columns}
          rows={records}
          rowKey={(record) => `${record.pluginId}/${record.key}`}
          actions={(record) => [remove(record)]}
          empty={
            enabled.length === 0
              ? { title: t("noPluginsTitle"), children: t("noPlugins") }
              : { title: t("noRecordsTitle"), children: t("noRecords", { plugins: format.list(enabled) }) }
          }
        />
      )}
    </LoadedPanel>
  );
}

function useColumns(): Column<PluginRecord>[] {
  const { t, format } = useTranslation(["integrations", "common"]);
  return [
    { header: t("plugin"), cell: (record) => record.pluginId },
    { header: t("key"), className: "mono", cell: (record) => record.key },
    { header: t("content"), className: "mono", isLong: true, cell: (record) => JSON.stringify(record.payload) },
    { header: t("common:version"), numeric: true, cell: (record) => record.version },
    { header: t("updated"), cell: (record) => <TimeAgo at={record.updatedAt} /> },
    {
      header: t("expires"),
      className: "num",
      cell: ({ expiresAt }) => (expiresAt === null ? t("common:never") : format.dateTime(expiresAt)),
    },
  ];
}
