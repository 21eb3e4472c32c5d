import { Anchor } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { CredentialForm } from "./credential-form.tsx";

/** Asks for the password, or for the PIN while the back-office cannot check a password. */
export function SignInForm() {
  const backOffice = useHub("overview").data?.backOffice;
  const [wantsPassword, setWantsPassword] = useState(false);
  if (backOffice?.state !== "unreachable") return <PasswordForm />;
  // Before the first contact with the back-office, there is no PIN.
  if (!backOffice.everReached) return <PasswordForm problem="neverReached" />;
  if (wantsPassword) return <PasswordForm />;
  const problem = backOffice.cause === "no_network" ? "offline" : "unreachable";
  return <PinForm problem={problem} onPassword={() => setWantsPassword(true)} />;
}

function PasswordForm({ problem }: { problem?: "neverReached" }) {
  const { t } = useTranslation(["signIn", "common"]);
  return (
    <CredentialForm
      secret={{ label: t("common:password"), autoComplete: "current-password" }}
      submitLabel={t("action")}
      reasons={{ "HUB-UNAUTHENTICATED": "refused", "HUB-FORBIDDEN": "forbidden" }}
      enter={(login, password) => callHub("signIn", { body: { login, password } })}
      intro={problem && <Problem title={t(problem)} explanation={t(`${problem}About`)} />}
    />
  );
}

function PinForm({ problem, onPassword }: { problem: "offline" | "unreachable"; onPassword: () => void }) {
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
      intro={<Problem title={t(problem)} explanation={t("offlineAbout")} />}
    >
      <Anchor component="button" type="button" size="sm" onClick={onPassword}>
        {t("withPassword")}
      </Anchor>
    </CredentialForm>
  );
}

/** Says why a password cannot be checked now, and what to do. */
function Problem({ title, explanation }: { title: string; explanation: string }) {
  return (
    <div role="status">
      <StatusMark tone="warn">{title}</StatusMark>
      <p className="soft">{explanation}</p>
    </div>
  );
}
