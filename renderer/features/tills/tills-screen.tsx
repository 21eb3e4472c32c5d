import { useTranslation } from "@comanda/ui/translation.ts";
import { TabsScreen, type TabProps } from "../../components/layout/screen.tsx";
import { useHub } from "../../lib/hub.ts";
import { NoShiftPanel } from "./no-shift-panel.tsx";
import { ShiftsPanel } from "./shifts-panel.tsx";
import { TillsPanel } from "./tills-panel.tsx";
import { TipsPanel } from "./tips-panel.tsx";

/** The drawers of the house, whose money lies in them, and what was counted. */
export default function TillsScreen({ tab }: TabProps) {
  const { t } = useTranslation("tills");
  const loose = useHub("noShift").data?.payments.length;
  const hasTills = useHub("tills").data?.tills.length !== 0;
  return (
    <TabsScreen
      path="/tills"
      tab={tab}
      text={(key) => t(key)}
      // In a house without tills no money has a shift, and nobody has to do anything about it.
      counts={{ none: hasTills ? loose : undefined }}
      tabs={{ shifts: <ShiftsPanel />, none: <NoShiftPanel />, tips: <TipsPanel />, tills: <TillsPanel /> }}
    />
  );
}
