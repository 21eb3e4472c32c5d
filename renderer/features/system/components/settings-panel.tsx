import { Button, TextInput } from "@mantine/core";
import { settingTexts, type Setting, type SettingList } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { desktopBridge } from "../../../lib/desktop.ts";
import { hubKey } from "../../../lib/hub-query.ts";
import { useSettings } from "../api/settings.ts";
import { SettingForm } from "./setting-form.tsx";
import "./system.css";

/** Every effective setting with where it comes from. */
export function SettingsPanel() {
  const { t } = useTranslation("system");
  const settings = useSettings();
  const queries = useQueryClient();
  const [filter, setFilter] = useState("");
  const [editing, setEditing] = useState<Setting | null>(null);
  return (
    <Panel title={t("settings")} about={t("settingsAbout")} flush>
      <div className="system-tools">
        <TextInput
          className="grow"
          aria-label={t("filter")}
          placeholder={t("filter")}
          type="search"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      </div>
      <Loaded query={settings} height={320}>
        {(list) => <Rows list={list} filter={filter.trim().toLowerCase()} onEdit={setEditing} />}
      </Loaded>
      {editing !== null && (
        <SettingForm
          setting={editing}
          onClose={() => setEditing(null)}
          onSaved={(list) => {
            queries.setQueryData(hubKey("settings", {}), list);
            setEditing(null);
          }}
        />
      )}
    </Panel>
  );
}

interface RowsProps {
  list: SettingList;
  filter: string;
  onEdit: (setting: Setting) => void;
}

function Rows({ list, filter, onEdit }: RowsProps) {
  const { t, i18n } = useTranslation("system");
  const about = settingTexts[i18n.language === "en" ? "en" : "es"];
  return (
    <>
      {list.restartNeeded && (
        <p className="note-line">
          <StatusMark tone="warn">{t("restartNote")}</StatusMark>
        </p>
      )}
      <div className="table-scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t("setting")}</th>
              <th scope="col">{t("value")}</th>
              <th scope="col">{t("source")}</th>
              <th scope="col">
                <span className="visually-hidden">{t("actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {list.settings
              .filter(({ name }) => `${name} ${about[name] ?? ""}`.toLowerCase().includes(filter))
              .map((setting) => (
                <tr key={setting.name}>
                  <td>
                    <span className="mono">{setting.name}</span>
                    <div className="soft">{about[setting.name]}</div>
                  </td>
                  <td>
                    <span className="setting-value">
                      {setting.secret
                        ? t(setting.set ? "secretSet" : "secretUnset")
                        : setting.value === null || setting.value === ""
                          ? "–"
                          : setting.value}
                    </span>
                  </td>
                  <td>
                    <StatusMark tone={setting.source === "default" ? "idle" : "accent"}>
                      {t(`sources.${setting.source}`)}
                    </StatusMark>
                  </td>
                  <td className="right">
                    {setting.changeable && setting.localOnly && desktopBridge() === null && (
                      <span className="soft">{t("localOnly")}</span>
                    )}
                    {setting.changeable && !(setting.localOnly && desktopBridge() === null) && (
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={t("changeOf", { name: setting.name })}
                        onClick={() => onEdit(setting)}
                      >
                        {t("change")}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
