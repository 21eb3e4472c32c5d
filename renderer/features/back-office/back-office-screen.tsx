import { useTranslation } from "react-i18next";
import { Screen } from "../../components/screen.tsx";
import { ScreenTabs } from "../../components/screen-tabs.tsx";
import { useBackOffice } from "./api/back-office.ts";
import { usePayments } from "./api/payments.ts";
import { Closing } from "./components/closing-report.tsx";
import { EventTable } from "./components/event-table.tsx";
import { LinkPanel } from "./components/link-panel.tsx";
import { PaymentTable } from "./components/payment-table.tsx";

/** How paid orders reach accounting, what waits for a person, and whether the shift may be closed. */
export default function BackOfficeScreen({ tab }: { tab?: string | undefined }) {
  const { t } = useTranslation("backOffice");
  const waiting = (useBackOffice().data?.queue.attention ?? 0) + (usePayments("open").data?.total ?? 0);
  return (
    <Screen title={t("title")} about={t("about")}>
      <ScreenTabs
        path="/back-office"
        tab={tab}
        tabs={[
          {
            id: "link",
            name: t("tabs.link"),
            content: (
              <div className="stack">
                <LinkPanel />
                <EventTable
                  state="pending"
                  title={t("waiting")}
                  about={t("queueAbout")}
                  emptyTitle={t("emptyQueueTitle")}
                  empty={t("emptyQueue")}
                />
              </div>
            ),
          },
          {
            id: "attention",
            name: t("tabs.attention"),
            count: waiting,
            content: (
              <div className="stack">
                <PaymentTable />
                <EventTable
                  state="attention"
                  title={t("refused")}
                  about={t("refusedAbout")}
                  emptyTitle={t("noRefusedTitle")}
                  empty={t("noRefused")}
                />
              </div>
            ),
          },
          { id: "closing", name: t("tabs.closing"), content: <Closing /> },
          {
            id: "history",
            name: t("tabs.history"),
            content: (
              <EventTable
                state="done"
                title={t("tabs.history")}
                about={t("historyAbout")}
                emptyTitle={t("noHistoryTitle")}
                empty={t("noHistory")}
              />
            ),
          },
        ]}
      />
    </Screen>
  );
}
