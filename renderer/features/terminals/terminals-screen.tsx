import { useTranslation } from "react-i18next";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { Screen } from "../../components/screen.tsx";
import { ScreenTabs } from "../../components/screen-tabs.tsx";
import { useTerminals } from "./api/terminals.ts";
import { ConnectPanel } from "./components/connect-panel.tsx";
import { LeaseTable } from "./components/lease-table.tsx";
import { TerminalTable } from "./components/terminal-table.tsx";

/** Who is connected, and what has not reached the hub. */
export default function TerminalsScreen({ tab }: { tab?: string | undefined }) {
  const { t } = useTranslation("terminals");
  const terminals = useTerminals();
  return (
    <Screen title={t("title")} about={t("about")}>
      <ScreenTabs
        path="/terminals"
        tab={tab}
        tabs={[
          {
            id: "list",
            name: t("tabList"),
            content: (
              <Panel title={t("tabList")} flush>
                <Loaded query={terminals} height={240}>
                  {(list) => <TerminalTable terminals={list.terminals} />}
                </Loaded>
              </Panel>
            ),
          },
          { id: "leases", name: t("tabLeases"), content: <LeaseTable /> },
          { id: "connect", name: t("tabConnect"), content: <ConnectPanel /> },
        ]}
      />
    </Screen>
  );
}
