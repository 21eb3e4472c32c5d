import { Anchor } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { StatusMark } from "../../components/status-mark.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { CredentialForm } from "./credential-form.tsx";

/** Asks for the password, or for the PIN while the back-office cannot check a password. */
export function SignInForm() {
  const isOffline = useHub("overview").data?.backOffice.state === "unreachable";
  const [wantsPassword, setWantsPassword] = useState(false);
  if (isOffline && !wantsPassword) return <PinForm onPassword={() => setWantsPassword(true)} />;
  return <PasswordForm />;
}

function PasswordForm() {
  const { t } = useTranslation("signIn");
  return (
    <CredentialForm
      secret={{ label: t("password"), autoComplete: "current-password" }}
      submitLabel={t("action")}
      reasons={{ "HUB-UNAUTHENTICATED": "refused", "HUB-FORBIDDEN": "forbidden" }}
      enter={(login, password) => callHub("signIn", { body: { login, password } })}
    />
  );
}

function PinForm({ onPassword }: { onPassword: () => void }) {
  const { t } = useTranslation("signIn");
  return (
    <CredentialForm
      secret={{ label: t("pin"), autoComplete: "off", inputMode: "numeric", maxLength: 8 }}
      submitLabel={t("pinAction")}
      reasons={{
        "HUB-UNAUTHENTICATED": "pinRefused",
        "HUB-FORBIDDEN": "forbidden",
        "HUB-RATE_LIMITED": "pinLocked",
        "HUB-UPSTREAM_UNAVAILABLE": "pinTooOld",
        "HUB-CONFIRMATION_NEEDED": "pinNotNow",
      }}
      enter={(login, pin) => callHub("signInWithPin", { body: { login, pin } })}
      intro={
        <div role="status">
          <StatusMark tone="warn">{t("offline")}</StatusMark>
          <p className="soft">{t("offlineAbout")}</p>
        </div>
      }
    >
      <Anchor component="button" type="button" size="sm" onClick={onPassword}>
        {t("withPassword")}
      </Anchor>
    </CredentialForm>
  );
}
