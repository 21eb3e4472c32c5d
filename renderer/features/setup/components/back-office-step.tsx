import { PasswordInput, TextInput } from "@mantine/core";
import type { DesktopBridge } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import type { Setup } from "../use-setup.ts";
import { TestResult } from "./test-result.tsx";

export function BackOfficeStep({ setup, bridge }: { setup: Setup; bridge: DesktopBridge }) {
  const { t } = useTranslation("setup");
  const { settings, password, state } = setup;
  const { backOffice } = settings;
  const change = (part: Partial<typeof backOffice>) => setup.change({ backOffice: { ...backOffice, ...part } });
  const wins = (name: string) => (state.fromEnvironment.includes(name) ? t("fromEnvironment", { name }) : undefined);
  const passwordHint = () => {
    if (setup.needsPassword) return t("passwordAgain");
    return state.passwordSet ? t("passwordKept") : undefined;
  };
  return (
    <>
      <h2>{t("steps.backOffice")}</h2>
      <div className="setup-fields">
        <TextInput
          label={t("url")}
          description={wins("ERP_URL") ?? t("urlHint")}
          type="url"
          value={backOffice.url}
          required
          withAsterisk={false}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
        <TextInput
          label={t("database")}
          description={wins("ERP_DB")}
          value={backOffice.database}
          required
          withAsterisk={false}
          onChange={(event) => change({ database: event.currentTarget.value })}
        />
        <TextInput
          label={t("login")}
          description={wins("ERP_USER") ?? t("loginHint")}
          value={backOffice.login}
          autoComplete="off"
          onChange={(event) => change({ login: event.currentTarget.value })}
        />
        <PasswordInput
          label={t("password")}
          description={wins("ERP_PASSWORD") ?? passwordHint()}
          value={password}
          required={setup.needsPassword}
          withAsterisk={false}
          autoComplete="new-password"
          onChange={(event) => setup.setPassword(event.currentTarget.value)}
        />
        <TestResult
          key={JSON.stringify([backOffice, password])}
          run={() =>
            bridge.testSettings({
              what: "back_office",
              url: backOffice.url,
              database: backOffice.database,
              login: backOffice.login,
              ...(password === "" ? {} : { password }),
            })
          }
        />
      </div>
    </>
  );
}
