import { useTranslation } from "@comanda/ui/translation.ts";
import { OpenPrints } from "../../components/print-jobs.tsx";
import { TabsScreen, type TabProps } from "../../components/layout/screen.tsx";
import { JobPanel } from "./job-panel.tsx";
import { PrinterPanel } from "./printer-panel.tsx";
import { RoutePanels } from "./route-panels.tsx";

const tabs = {
  printers: [<OpenPrints key="open" />, <PrinterPanel key="printers" />],
  routes: <RoutePanels />,
  jobs: <JobPanel />,
};

/** The restaurant's printers, what each of them prints, and what was not printed. */
export default function PrintersScreen({ tab }: TabProps) {
  const { t } = useTranslation("printers");
  return <TabsScreen path="/printers" tab={tab} tabs={tabs} text={(key) => t(key)} />;
}
