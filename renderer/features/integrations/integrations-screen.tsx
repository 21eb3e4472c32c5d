import { useTranslation } from "react-i18next";
import { TabsScreen } from "../../components/screen.tsx";
import { useHub } from "../../lib/hub.ts";
import { DeadLetterPanel } from "./dead-letter-panel.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { PluginPanel } from "./plugin-panel.tsx";
import { DocsPanel, SignaturePanel } from "./signature-panel.tsx";
import { WebhookPanel } from "./webhook-panel.tsx";
import "./integrations.css";

/** Everything an integrator needs. */
export default function IntegrationsScreen({ tab }: { tab?: string | undefined }) {
  const { t } = useTranslation("integrations");
  const dead = useHub("webhooks").data?.webhooks.reduce((sum, webhook) => sum + webhook.deadLettered, 0);
  return (
    <TabsScreen
      title={t("title")}
      about={t("about")}
      path="/integrations"
      tab={tab}
      tabs={[
        { id: "keys", name: t("tabs.keys"), content: <KeyPanel /> },
        { id: "webhooks", name: t("tabs.webhooks"), content: <WebhookPanel /> },
        {
          id: "deliveries",
          name: t("tabs.deliveries"),
          count: dead,
          content: (
            <>
              <DeadLetterPanel />
              <DeliveryPanel />
            </>
          ),
        },
        { id: "plugins", name: t("tabs.plugins"), content: <PluginPanel /> },
        {
          id: "tools",
          name: t("tabs.tools"),
          content: (
            <>
              <SignaturePanel />
              <DocsPanel />
            </>
          ),
        },
      ]}
    />
  );
}
