import { Button } from "@mantine/core";
import {
  isBackOfficeSetting,
  settingGroups,
  settingRow,
  type Setting,
  type SettingList,
  type SettingName,
} from "@comanda/protocol";
import { useState } from "react";
import { Link } from "wouter";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton, useConfirm, type Action } from "../../components/forms/action-button.tsx";
import { useSettingLabel } from "../../components/labels.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { ConfirmationNote } from "../../components/forms/needs-confirmation.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { useAct } from "../../components/forms/use-act.ts";
import { SwitchField } from "../../components/forms/form-fields.tsx";
import { desktopBridge } from "../../lib/desktop.ts";
import { useFound } from "../../lib/found.ts";
import { useHub } from "../../lib/hub.ts";
import { matcherOf } from "@comanda/ui/search.ts";
import { changeSettings } from "./change-settings.ts";
import { SettingDialog } from "./setting-dialog.tsx";
import { isOn, useSettingValue } from "./setting-value.ts";

/** Every effective setting, grouped by task, with the source of its value. */
export function SettingsPanel() {
  const { t } = useTranslation("system");
  const [filter, setFilter] = useState("");
  const [editing, setEditing] = useState<SettingName | null>(null);
  const settings = useHub("settings");
  const edited = settings.data?.settings.find(({ name }) => name === editing);
  const labelOf = useSettingLabel();
  return (
    <Panel title={t("tabs.settings")} about={t("settingsAbout")} flush>
      <div className="tools">
        <SearchField label={t("filter")} value={filter} onChange={setFilter} />
      </div>
      <ConfirmationNote what={t("settingsConfirmed")} />
      <Loaded query={settings} height={320}>
        {(list) => <SettingGroups list={list} filter={filter} onEdit={({ name }) => setEditing(name)} />}
      </Loaded>
      {edited !== undefined && (
        <SettingDialog setting={edited} label={labelOf(edited.name)} onClose={() => setEditing(null)} />
      )}
    </Panel>
  );
}

interface SettingGroupsProps {
  list: SettingList;
  filter: string;
  onEdit: (setting: Setting) => void;
}

function SettingGroups({ list, filter, onEdit }: SettingGroupsProps) {
  const { t } = useTranslation("system");
  const labelOf = useSettingLabel();
  const columns = useColumns();
  const matches = matcherOf(filter);
  const found = useFound("setting");
  const groups = settingGroups.map((group) => ({
    group,
    title: t(`settingGroup.${group}`),
    settings: list.settings.filter(
      ({ name }) => settingRow(name).group === group && matches(t(`settingGroup.${group}`), labelOf(name), name),
    ),
  }));
  return (
    <>
      {list.restartNeeded && (
        <p className="note-line">
          <StatusMark tone="warn">{t("restartNote")}</StatusMark>
        </p>
      )}
      {groups
        .filter(({ settings }) => settings.length > 0)
        .map(({ group, title, settings }) => (
          <section key={group} className="setting-group" aria-label={title}>
            <h3 className="setting-group-title">{title}</h3>
            <Table
              columns={columns}
              rows={settings}
              rowKey={(setting) => setting.name}
              found={found}
              className="plain-table setting-table"
              controls={(setting) => <SettingControl setting={setting} onEdit={onEdit} />}
            />
          </section>
        ))}
      {groups.every(({ settings }) => settings.length === 0) && <Empty title={t("noSettings")} />}
    </>
  );
}

function useColumns(): Column<Setting>[] {
  const { t } = useTranslation("system");
  const labelOf = useSettingLabel();
  const valueText = useSettingValue();
  return [
    {
      header: t("setting"),
      width: "minmax(250px, 2fr)",
      cell: (setting) => (
        <>
          <span>{labelOf(setting.name)}</span>
          {setting.name === "HUB_DEV_AUTH" && <DevAuthWarning isActive={isOn(setting.name, setting.value ?? "")} />}
          <div className="setting-name mono">{setting.name}</div>
        </>
      ),
    },
    {
      header: t("value"),
      className: "setting-value",
      cell: ({ name, secret, set, value }) =>
        secret ? t(set ? "secretSet" : "secretUnset") : valueText(name, value ?? ""),
    },
    {
      header: t("source"),
      cell: ({ source }) => (
        <StatusMark tone={source === "default" ? "idle" : "accent"}>{t(`sources.${source}`)}</StatusMark>
      ),
    },
  ];
}

function DevAuthWarning({ isActive }: { isActive: boolean }) {
  const { t } = useTranslation("system");
  return (
    <div>
      <StatusMark tone={isActive ? "bad" : "warn"}>{t(isActive ? "devAuth.isOn" : "devAuth.warning")}</StatusMark>
    </div>
  );
}

function SettingControl({ setting, onEdit }: { setting: Setting; onEdit: (setting: Setting) => void }) {
  const { t } = useTranslation(["system", "common"]);
  const labelOf = useSettingLabel();
  const name = t("changeOf", { name: labelOf(setting.name) });
  const { input } = settingRow(setting.name);
  if (setting.changeable && input.kind === "stations") {
    return (
      <Button component={Link} href="/kitchen/stations" size="xs" variant="default" aria-label={name}>
        {t("common:change")}
      </Button>
    );
  }
  const isElsewhere = setting.localOnly && desktopBridge() === null;
  if (input.kind === "flag") return <FlagSwitch setting={setting} isElsewhere={isElsewhere} />;
  if (!setting.changeable) return null;
  if (isElsewhere) return <ChangedElsewhere />;
  return (
    <ActionButton
      size="xs"
      label={t("common:change")}
      name={name}
      {...(isBackOfficeSetting(setting.name) && { needsConfirmation: true })}
      run={async () => onEdit(setting)}
    />
  );
}

/** Where to change a setting that cannot be changed over the network. A hub without a desktop app has only its file. */
function ChangedElsewhere() {
  const { t } = useTranslation("system");
  const host = useHub("version").data?.host;
  return <span className="soft">{t(host === "headless" ? "fileOnly" : "localOnly")} </span>;
}

/** A switch. Asks for confirmation if it opens the hub to everybody. */
function FlagSwitch({ setting, isElsewhere }: { setting: Setting; isElsewhere: boolean }) {
  const { t } = useTranslation("system");
  const labelOf = useSettingLabel();
  const { busy, act } = useAct();
  const checked = isOn(setting.name, setting.value ?? "");
  const save = (next: boolean) => changeSettings({ [setting.name]: String(next) }, setting.localOnly);

  const turnOn: Action = {
    label: t("devAuth.turnOn"),
    confirm: { title: t("devAuth.title"), body: t("devAuth.body"), danger: true, typeToConfirm: t("devAuth.word") },
    run: () => save(true),
    done: t("saved"),
  };
  const [dialog, confirm] = useConfirm(() => (checked ? undefined : turnOn));

  function change(next: boolean) {
    if (!next || setting.name !== "HUB_DEV_AUTH") return void act(() => save(next), t("saved"), setting.name);
    confirm(turnOn, null);
  }

  return (
    <>
      {isElsewhere && setting.changeable && <ChangedElsewhere />}
      <SwitchField
        className="setting-switch"
        aria-label={labelOf(setting.name)}
        checked={checked}
        disabled={busy || isElsewhere || !setting.changeable}
        onChange={change}
      />
      {dialog}
    </>
  );
}
