import { PasswordInput, TextInput, Button } from "@mantine/core";
import { accountSettings, settingTexts, type Setting, type SettingList } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { FormDialog } from "../../components/dialog.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { StatusMark } from "../../components/status-mark.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { notify } from "../../components/use-act.ts";
import { desktopBridge } from "../../lib/desktop.ts";
import { HubFailure } from "../../lib/hub-failure.ts";
import { callHub, readAgain, useHub } from "../../lib/hub.ts";
import { readStations } from "../../lib/stations.ts";

/** Every effective setting with its source. */
export function SettingsPanel() {
  const { t } = useTranslation("system");
  const [filter, setFilter] = useState("");
  const [editing, setEditing] = useState<Setting | null>(null);
  const settings = useHub("settings");
  return (
    <Panel title={t("settings")} about={t("settingsAbout")} flush>
      <div className="tools">
        <SearchField label={t("filter")} value={filter} onChange={setFilter} />
      </div>
      <Loaded query={settings} height={320}>
        {(list) => <SettingTable list={list} filter={filter.trim().toLowerCase()} onEdit={setEditing} />}
      </Loaded>
      {editing !== null && <SettingDialog setting={editing} onClose={() => setEditing(null)} />}
    </Panel>
  );
}

interface SettingTableProps {
  list: SettingList;
  filter: string;
  onEdit: (setting: Setting) => void;
}

function SettingTable({ list, filter, onEdit }: SettingTableProps) {
  const { t, i18n } = useTranslation("system");
  const about = settingTexts[i18n.language === "en" ? "en" : "es"];
  const columns: Column<Setting>[] = [
    {
      header: t("setting"),
      cell: ({ name }) => (
        <>
          <span className="mono">{name}</span>
          <div className="soft">{about[name]}</div>
        </>
      ),
    },
    {
      header: t("value"),
      className: "setting-value",
      cell: ({ name, secret, set, value }) => {
        if (secret) return t(set ? "secretSet" : "secretUnset");
        if (name === "HUB_STATIONS") return stationNames(value ?? "") || "–";
        return value || "–";
      },
    },
    {
      header: t("source"),
      cell: ({ source }) => (
        <StatusMark tone={source === "default" ? "idle" : "accent"}>{t(`sources.${source}`)}</StatusMark>
      ),
    },
  ];
  return (
    <>
      {list.restartNeeded && (
        <p className="note-line">
          <StatusMark tone="warn">{t("restartNote")}</StatusMark>
        </p>
      )}
      <Table
        columns={columns}
        rows={list.settings.filter(({ name }) => `${name} ${about[name] ?? ""}`.toLowerCase().includes(filter))}
        rowKey={(setting) => setting.name}
        controls={(setting) => <ChangeButton setting={setting} onEdit={onEdit} />}
      />
    </>
  );
}

function ChangeButton({ setting, onEdit }: { setting: Setting; onEdit: (setting: Setting) => void }) {
  const { t } = useTranslation("system");
  if (!setting.changeable) return null;
  if (setting.name === "HUB_STATIONS") {
    return (
      <Button
        component={Link}
        href="/kitchen/stations"
        size="xs"
        variant="default"
        aria-label={t("changeOf", { name: setting.name })}
      >
        {t("change")}
      </Button>
    );
  }
  if (setting.localOnly && desktopBridge() === null) return <span className="soft">{t("localOnly")}</span>;
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={t("changeOf", { name: setting.name })}
      onClick={() => onEdit(setting)}
    >
      {t("change")}
    </Button>
  );
}

function SettingDialog({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const { t } = useTranslation(["system", "common"]);
  const [value, setValue] = useState(setting.value ?? "");
  const [password, setPassword] = useState("");
  const Input = setting.secret ? PasswordInput : TextInput;
  // The saved password is for the account as it was.
  const isOfAccount = accountSettings.some((name) => name === setting.name);
  const allowed = t("allowed", { allowed: setting.allowed });

  async function save(next: string | null) {
    const values = { [setting.name]: next, ...(isOfAccount && { ERP_PASSWORD: password }) };
    await changeSettings(values, setting.localOnly);
    notify(t("saved"));
  }

  return (
    <FormDialog
      title={t("changeOf", { name: setting.name })}
      submitLabel={t("common:save")}
      alternative={{ label: t("toDefault"), disabled: setting.source !== "file", run: () => save(null) }}
      onClose={onClose}
      run={() => save(value)}
    >
      <Input
        label={setting.name}
        description={setting.needsRestart ? `${allowed} (${t("needsRestart")})` : allowed}
        value={value}
        autoComplete="off"
        onChange={(event) => setValue(event.currentTarget.value)}
        data-autofocus
      />
      {isOfAccount && (
        <PasswordInput
          label={t("accountPassword")}
          description={t("accountPasswordAbout")}
          value={password}
          autoComplete="new-password"
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}

function stationNames(text: string): string {
  return readStations(text)
    .map(({ name }) => name)
    .join(", ");
}

/** Saves settings, all or none; null restores the default. Those of the hub's own computer go through the desktop app. */
async function changeSettings(values: Record<string, string | null>, localOnly: boolean): Promise<void> {
  if (!localOnly) {
    await callHub("changeSettings", { body: { values } });
    return;
  }
  const result = await desktopBridge()?.changeHubSettings(values);
  if (result?.ok === false) throw new HubFailure("HUB-VALIDATION_ERROR", result.error);
  readAgain(["settings"]);
}
