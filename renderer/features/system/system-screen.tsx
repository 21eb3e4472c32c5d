import { useTranslation } from "react-i18next";
import { Screen } from "../../components/screen.tsx";
import { ScreenTabs } from "../../components/screen-tabs.tsx";
import { AuditPanel } from "./components/audit-panel.tsx";
import { BackupPanel } from "./components/backup-panel.tsx";
import { DataFilePanel } from "./components/data-file-panel.tsx";
import { LossPanel } from "./components/loss-panel.tsx";
import { LogPanel } from "./components/log-panel.tsx";
import { OverviewPanels } from "./components/overview-panels.tsx";
import { SettingsPanel } from "./components/settings-panel.tsx";

/** The machine room. */
export default function SystemScreen({ tab }: { tab?: string | undefined }) {
  const { t } = useTranslation("system");
  return (
    <Screen title={t("title")} about={t("about")}>
      <ScreenTabs
        path="/system"
        tab={tab}
        tabs={[
          { id: "overview", name: t("tabs.overview"), content: <OverviewPanels /> },
          { id: "settings", name: t("tabs.settings"), content: <SettingsPanel /> },
          { id: "backups", name: t("tabs.backups"), content: <BackupsTab /> },
          { id: "data", name: t("tabs.data"), content: <DataFilePanel /> },
          { id: "logs", name: t("tabs.logs"), content: <LogPanel /> },
          { id: "audit", name: t("tabs.audit"), content: <AuditPanel /> },
        ]}
      />
    </Screen>
  );
}

function BackupsTab() {
  return (
    <div className="losses-and-backups">
      <LossPanel />
      <BackupPanel />
    </div>
  );
}
