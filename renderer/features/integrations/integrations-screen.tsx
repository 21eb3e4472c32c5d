import { useTranslation } from "@comanda/ui/translation.ts";
import { TabsScreen, type TabProps } from "../../components/layout/screen.tsx";
import { useHub } from "../../lib/hub.ts";
import { DeadLetterPanel } from "./dead-letter-panel.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { DocsPanel } from "./docs-panel.tsx";
import { KeyPanel } from "./key-panel.tsx";
import { PlaygroundPanel, VerifierPanel } from "./playground-panel.tsx";
import { PluginPanel } from "./plugin-panel.tsx";
import { SignaturePanel } from "./signature-panel.tsx";
import { WebhookPanel } from "./webhook-panel.tsx";
import "./integrations.css";

const tabs = {
  keys: <KeyPanel />,
  webhooks: <WebhookPanel />,
  deliveries: [<DeadLetterPanel key="dead" />, <DeliveryPanel key="all" />],
  plugins: <PluginPanel />,
  tools: [
    <DocsPanel key="docs" />,
    <PlaygroundPanel key="playground" />,
    <VerifierPanel key="verifiers" />,
    <SignaturePanel key="signature" />,
  ],
};

/** Everything an integrator needs. */
export default function IntegrationsScreen({ tab }: TabProps) {
  const { t } = useTranslation("integrations");
  const dead = useHub("webhooks").data?.webhooks.reduce((sum, webhook) => sum + webhook.deadLettered, 0);
  return <TabsScreen path="/integrations" tab={tab} tabs={tabs} text={(key) => t(key)} counts={{ deliveries: dead }} />;
}
