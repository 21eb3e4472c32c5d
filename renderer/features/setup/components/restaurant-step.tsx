import { NumberInput, Switch, TextInput } from "@mantine/core";
import { HUB_NAME_MAX, type DesktopBridge } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import type { Setup } from "../use-setup.ts";
import { TestResult } from "./test-result.tsx";

export function RestaurantStep({ setup, bridge }: { setup: Setup; bridge: DesktopBridge }) {
  const { t } = useTranslation("setup");
  const { settings, change, state } = setup;
  const wins = (name: string) => (state.fromEnvironment.includes(name) ? t("fromEnvironment", { name }) : undefined);
  return (
    <>
      <h2>{t("steps.restaurant")}</h2>
      <div className="setup-fields">
        <TextInput
          label={t("name")}
          description={wins("HUB_NAME") ?? t("nameHint")}
          value={settings.hubName}
          maxLength={HUB_NAME_MAX}
          required
          withAsterisk={false}
          onChange={(event) => change({ hubName: event.currentTarget.value })}
        />
        <NumberInput
          label={t("port")}
          description={wins("HUB_HTTP_PORT") ?? t("portHint")}
          value={settings.port}
          min={1}
          max={65_535}
          allowDecimal={false}
          required
          withAsterisk={false}
          hideControls
          onChange={(port) => {
            if (typeof port === "number") change({ port });
          }}
        />
        <TestResult
          key={settings.port}
          run={() => bridge.testSettings({ what: "port", port: settings.port })}
          onSuggestion={(port) => change({ port })}
        />
        <Switch
          label={t("startAtLogin")}
          description={t("startAtLoginHint")}
          checked={settings.startAtLogin}
          onChange={(event) => change({ startAtLogin: event.currentTarget.checked })}
        />
      </div>
    </>
  );
}
