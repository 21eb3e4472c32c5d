import { Radio, SegmentedControl, Stack } from "@mantine/core";
import type { DesktopBridge } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { RestoreFirst } from "./restore-first.tsx";
import type { Setup } from "./use-setup.ts";

export function LanguageStep({ setup, bridge }: { setup: Setup; bridge: DesktopBridge }) {
  const { t, i18n } = useTranslation("setup");
  const { backupsFound, configured } = setup.state;
  return (
    <>
      <h2>{t("welcome")}</h2>
      <p className="soft setup-intro">{t("welcomeAbout")}</p>
      <div className="setup-fields">
        <SegmentedControl
          size="md"
          aria-label={t("language")}
          value={i18n.language}
          data={[
            { value: "es", label: t("spanish") },
            { value: "en", label: t("english") },
          ]}
          onChange={(value) => {
            const language = value === "en" ? "en" : "es";
            void i18n.changeLanguage(language);
            void bridge.setLanguage(language);
            setup.change({ language });
          }}
        />
        <Radio.Group
          label={t("role")}
          value={setup.role}
          onChange={(role) => setup.setRole(role === "terminal" ? "terminal" : "hub")}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="hub" label={t("roleHub")} description={t("roleHubAbout")} />
            <Radio value="terminal" label={t("roleTerminal")} description={t("roleTerminalAbout")} />
          </Stack>
        </Radio.Group>
        {configured && setup.role === "terminal" && <p role="status">{t("roleHubStops")}</p>}
        {!configured && setup.role === "hub" && <RestoreFirst bridge={bridge} backupsFound={backupsFound} />}
      </div>
    </>
  );
}
