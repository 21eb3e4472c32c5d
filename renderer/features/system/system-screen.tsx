import { useTranslation } from "react-i18next";
import { TabsScreen } from "../../components/screen.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { BackupPanel } from "./backup-panel.tsx";
import { DataFilePanel } from "./data-file-panel.tsx";
import { LogPanel } from "./log-panel.tsx";
import { LossPanel } from "./loss-panel.tsx";
import { OverviewPanels } from "./overview-panels.tsx";
import { SettingsPanel } from "./settings-panel.tsx";
import "./system.css";

/** The hub itself: version, settings, backups, data file, logs and audit log. */
export default function SystemScreen({ tab }: { tab?: string | undefined }) {
  const { t } = useTranslation("system");
  const backups = (
    <>
      <LossPanel />
      <BackupPanel />
    </>
  );
  return (
    <TabsScreen
      title={t("title")}
      about={t("about")}
      path="/system"
      tab={tab}
      tabs={[
        { id: "overview", name: t("tabs.overview"), content: <OverviewPanels /> },
        { id: "settings", name: t("tabs.settings"), content: <SettingsPanel /> },
        { id: "backups", name: t("tabs.backups"), content: backups },
        { id: "data", name: t("tabs.data"), content: <DataFilePanel /> },
        { id: "logs", name: t("tabs.logs"), content: <LogPanel /> },
        { id: "audit", name: t("tabs.audit"), content: <AuditPanel /> },
      ]}
    />
  );
}
