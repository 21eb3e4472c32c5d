import { useTranslation } from "@comanda/ui/translation.ts";
import { OpenPrints } from "../../components/print-jobs.tsx";
import { TabsScreen, type TabProps } from "../../components/layout/screen.tsx";
import { OutPanel } from "./out-panel.tsx";
import { StationPanel } from "./station-panel.tsx";
import { TicketPanel } from "./ticket-panel.tsx";

const tabs = {
  tickets: [<OpenPrints key="prints" />, <TicketPanel key="tickets" />],
  out: <OutPanel />,
  stations: <StationPanel />,
};

/** The kitchen's tickets by station, what has run out, and which station makes what. */
export default function KitchenScreen({ tab }: TabProps) {
  const { t } = useTranslation("kitchen");
  return <TabsScreen path="/kitchen" tab={tab} tabs={tabs} text={(key) => t(key)} />;
}
