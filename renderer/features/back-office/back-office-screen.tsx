import { useTranslation } from "react-i18next";
import { TabsScreen } from "../../components/screen.tsx";
import { useHub } from "../../lib/hub.ts";
import { ClosingPanel } from "./closing-panel.tsx";
import { ForwardTable } from "./forward-table.tsx";
import { LinkPanels } from "./link-panel.tsx";
import { openPayments, PaymentTable } from "./payment-table.tsx";
import "./back-office.css";

/** How paid orders reach accounting, what needs a person, and whether the shift can be closed. */
export default function BackOfficeScreen({ tab }: { tab?: string | undefined }) {
  const { t } = useTranslation("backOffice");
  const refused = useHub("backOffice").data?.queue.attention ?? 0;
  const unapplied = useHub("payments", openPayments).data?.total ?? 0;
  return (
    <TabsScreen
      title={t("title")}
      about={t("about")}
      path="/back-office"
      tab={tab}
      tabs={[
        {
          id: "link",
          name: t("tabs.link"),
          content: (
            <>
              <LinkPanels />
              <ForwardTable state="pending" />
            </>
          ),
        },
        {
          id: "attention",
          name: t("tabs.attention"),
          count: refused + unapplied,
          content: (
            <>
              <PaymentTable />
              <ForwardTable state="attention" />
            </>
          ),
        },
        { id: "closing", name: t("tabs.closing"), content: <ClosingPanel /> },
        { id: "history", name: t("tabs.history"), content: <ForwardTable state="done" /> },
      ]}
    />
  );
}
