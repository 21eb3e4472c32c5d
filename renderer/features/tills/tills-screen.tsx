import { useTranslation } from "@comanda/ui/translation.ts";
import { TabsScreen, type TabProps } from "../../components/layout/screen.tsx";
import { useHub } from "../../lib/hub.ts";
import { NoShiftPanel } from "./no-shift-panel.tsx";
import { ShiftsPanel } from "./shifts-panel.tsx";
import { TillsPanel } from "./tills-panel.tsx";
import { TipsPanel } from "./tips-panel.tsx";

/** The restaurant's drawers, with their shifts, payments without a shift, and tips. */
export default function TillsScreen({ tab }: TabProps) {
  const { t } = useTranslation("tills");
  const unassignedCount = useHub("noShift").data?.payments.length;
  const hasTills = useHub("tills").data?.tills.length !== 0;
  return (
    <TabsScreen
      path="/tills"
      tab={tab}
      text={(key) => t(key)}
      // Without tills, no payment has a shift, and there is nothing to do about it.
      counts={{ none: hasTills ? unassignedCount : undefined }}
      tabs={{ shifts: <ShiftsPanel />, none: <NoShiftPanel />, tips: <TipsPanel />, tills: <TillsPanel /> }}
    />
  );
}
