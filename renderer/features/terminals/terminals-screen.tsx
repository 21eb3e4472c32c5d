import { useTranslation } from "react-i18next";
import { TabsScreen } from "../../components/screen.tsx";
import { ConnectPanel } from "./connect-panel.tsx";
import { LeaseTable } from "./lease-table.tsx";
import { TerminalTable } from "./terminal-table.tsx";

/** Who is connected, and what has not reached the hub. */
export default function TerminalsScreen({ tab }: { tab?: string | undefined }) {
  const { t } = useTranslation("terminals");
  return (
    <TabsScreen
      title={t("title")}
      about={t("about")}
      path="/terminals"
      tab={tab}
      tabs={[
        { id: "list", name: t("tabList"), content: <TerminalTable /> },
        { id: "leases", name: t("tabLeases"), content: <LeaseTable /> },
        { id: "connect", name: t("connect"), content: <ConnectPanel /> },
      ]}
    />
  );
}
