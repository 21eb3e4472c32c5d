import { useTranslation } from "@comanda/ui/translation.ts";
import { TabsScreen, type TabProps } from "../../components/layout/screen.tsx";
import { ConnectPanel } from "./connect-panel.tsx";
import { LeaseTable } from "./lease-table.tsx";
import { PeopleTable } from "./people-table.tsx";
import { PracticePanel } from "./practice-panel.tsx";
import { TerminalTable } from "./terminal-table.tsx";

const tabs = {
  list: <TerminalTable />,
  leases: <LeaseTable />,
  people: <PeopleTable />,
  connect: <ConnectPanel />,
  practice: <PracticePanel />,
};

/** Who is connected, and what has not reached the hub. */
export default function TerminalsScreen({ tab }: TabProps) {
  const { t } = useTranslation("terminals");
  return <TabsScreen path="/terminals" tab={tab} tabs={tabs} text={(key) => t(key)} />;
}
