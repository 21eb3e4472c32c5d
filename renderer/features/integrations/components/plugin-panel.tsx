import { Button } from "@mantine/core";
import type { PluginOverview, PluginRecord } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Ago } from "../../../components/age.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { hubKey } from "../../../lib/hub-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { deletePluginRecord } from "../api/delete-plugin-record.ts";
import { usePlugins } from "../api/plugins.ts";

/** What integrations have published for the terminals. */
export function PluginPanel() {
  const { t } = useTranslation(["integrations", "common"]);
  const plugins = usePlugins();
  const queries = useQueryClient();
  const [removing, setRemoving] = useState<PluginRecord | null>(null);
  return (
    <Panel title={t("integrations:plugins")} about={t("integrations:pluginsAbout")} flush>
      <Loaded query={plugins}>{(data) => <Records plugins={data} onRemove={setRemoving} />}</Loaded>
      {removing !== null && (
        <Confirm
          open
          danger
          onClose={() => setRemoving(null)}
          title={t("integrations:deleteRecordTitle", { key: removing.key })}
          action={t("common:remove")}
          run={async () => {
            await deletePluginRecord(removing.pluginId, removing.key);
            await queries.invalidateQueries({ queryKey: hubKey("plugins") });
          }}
        >
          {t("integrations:deleteRecordBody")}
        </Confirm>
      )}
    </Panel>
  );
}

function Records({ plugins, onRemove }: { plugins: PluginOverview; onRemove: (record: PluginRecord) => void }) {
  const { t } = useTranslation(["integrations", "common"]);
  const format = useFormat();
  if (plugins.enabled.length === 0) {
    return <Empty title={t("integrations:noPluginsTitle")}>{t("integrations:noPlugins")}</Empty>;
  }
  if (plugins.records.length === 0) {
    return (
      <Empty title={t("integrations:noRecordsTitle")}>
        {t("integrations:noRecords")} {t("integrations:enabledPlugins")}: {format.list(plugins.enabled)}.
      </Empty>
    );
  }
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t("integrations:plugin")}</th>
            <th scope="col">{t("integrations:key")}</th>
            <th scope="col">{t("integrations:content")}</th>
            <th scope="col" className="right">
              {t("integrations:version")}
            </th>
            <th scope="col">{t("integrations:updated")}</th>
            <th scope="col">{t("integrations:expires")}</th>
            <th scope="col">
              <span className="visually-hidden">{t("integrations:actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {plugins.records.map((record) => (
            <tr key={`${record.pluginId}/${record.key}`}>
              <td>{record.pluginId}</td>
              <td className="mono">{record.key}</td>
              <td className="mono">{JSON.stringify(record.payload)}</td>
              <td className="right num">{record.version}</td>
              <td>
                <Ago at={record.updatedAt} />
              </td>
              <td className="num">
                {record.expiresAt === null ? t("common:never") : format.dateTime(record.expiresAt)}
              </td>
              <td className="right">
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t("integrations:deleteOf", { name: record.key })}
                  onClick={() => onRemove(record)}
                >
                  {t("common:remove")}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
