import { useTranslation } from "react-i18next";
import { Screen } from "../../components/screen.tsx";
import { ScreenTabs } from "../../components/screen-tabs.tsx";
import { useWebhooks } from "./api/webhooks.ts";
import { DeliveryPanel } from "./components/delivery-panel.tsx";
import { KeyPanel } from "./components/key-panel.tsx";
import { PluginPanel } from "./components/plugin-panel.tsx";
import { DocsPanel, SignaturePanel } from "./components/signature-panel.tsx";
import { WebhookPanel } from "./components/webhook-panel.tsx";

/** Everything an integrator needs, without asking anybody. */
export default function IntegrationsScreen({ tab }: { tab?: string | undefined }) {
  const { t } = useTranslation("integrations");
  const dead = useWebhooks().data?.webhooks.reduce((sum, webhook) => sum + webhook.deadLettered, 0);
  return (
    <Screen title={t("title")} about={t("about")}>
      <ScreenTabs
        path="/integrations"
        tab={tab}
        tabs={[
          { id: "keys", name: t("tabs.keys"), content: <KeyPanel /> },
          { id: "webhooks", name: t("tabs.webhooks"), content: <WebhookPanel /> },
          { id: "deliveries", name: t("tabs.deliveries"), count: dead, content: <DeliveryPanel /> },
          { id: "plugins", name: t("tabs.plugins"), content: <PluginPanel /> },
          {
            id: "tools",
            name: t("tabs.tools"),
            content: (
              <div className="stack">
                <SignaturePanel />
                <DocsPanel />
              </div>
            ),
          },
        ]}
      />
    </Screen>
  );
}
