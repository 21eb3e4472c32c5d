import { useTranslation } from "@comanda/ui/translation.ts";
import { TabsScreen, type TabProps } from "../../components/layout/screen.tsx";
import { useHub } from "../../lib/hub.ts";
import { ClosingPanel } from "./closing-panel.tsx";
import { FiscalPanels } from "./fiscal-panels.tsx";
import { ForwardTable } from "./forward-table.tsx";
import { LinkPanels } from "./link-panel.tsx";
import { KeptChangeTable, openChanges } from "./kept-change-table.tsx";
import { openPayments, PaymentTable } from "./payment-table.tsx";
import "./back-office.css";

const tabs = {
  link: [<LinkPanels key="link" />, <ForwardTable key="queue" state="pending" />],
  attention: [
    <PaymentTable key="payments" />,
    <KeptChangeTable key="changes" />,
    <ForwardTable key="refused" state="attention" />,
  ],
  fiscal: <FiscalPanels />,
  closing: <ClosingPanel />,
  history: <ForwardTable state="done" />,
};

/** How paid orders reach accounting, what needs a manager, and whether the shift can be closed. */
export default function BackOfficeScreen({ tab }: TabProps) {
  const { t } = useTranslation("backOffice");
  const refused = useHub("backOffice").data?.queue.attention ?? 0;
  const unapplied = useHub("payments", openPayments).data?.total ?? 0;
  const keptChanges = useHub("keptChanges", openChanges).data?.total ?? 0;
  const { failed = [], receipts = [] } = useHub("fiscal").data ?? {};
  return (
    <TabsScreen
      path="/back-office"
      tab={tab}
      tabs={tabs}
      text={(key) => t(key)}
      counts={{ attention: refused + unapplied + keptChanges, fiscal: failed.length + receipts.length }}
    />
  );
}
