import { useTranslation } from "@comanda/ui/translation.ts";
import { OpenPrints } from "../../components/print-jobs.tsx";
import { TabsScreen, type TabProps } from "../../components/layout/screen.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { BackupPanel } from "./backup-panel.tsx";
import { ChainPanel } from "./chain-panel.tsx";
import { DataFilePanel } from "./data-file-panel.tsx";
import { LogPanel } from "./log-panel.tsx";
import { LossPanel } from "./loss-panel.tsx";
import { OverviewPanels } from "./overview-panels.tsx";
import { ProposalPanel } from "./proposal-panel.tsx";
import { SettingsPanel } from "./settings-panel.tsx";
import "./system.css";

const tabs = {
  overview: [<OpenPrints key="prints" />, <OverviewPanels key="overview" />],
  settings: [<ProposalPanel key="proposals" />, <ChainPanel key="chain" />, <SettingsPanel key="settings" />],
  backups: [<LossPanel key="losses" />, <BackupPanel key="backups" />],
  data: <DataFilePanel />,
  logs: <LogPanel />,
  audit: <AuditPanel />,
};

/** The hub itself: version, settings, backups, data file, logs and audit log. */
export default function SystemScreen({ tab }: TabProps) {
  const { t } = useTranslation("system");
  return <TabsScreen path="/system" tab={tab} tabs={tabs} text={(key) => t(key)} />;
}
