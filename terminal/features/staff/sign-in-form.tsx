import { Suspense, useState } from "react";
import { translator, useTranslation } from "@comanda/ui/translation.ts";
import { Failure } from "../../components/failure.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { TextField } from "../../components/text-field.tsx";
import type { Account } from "../../lib/device/account.ts";
import { formText } from "../../lib/page/form-text.ts";
import { readDevice } from "../../lib/device/device.ts";
import { deviceName, nameNewDevice } from "../../lib/device/device-name.ts";
import { signedInByForm } from "../../lib/device/signed-in-by-form.ts";
import { createHubHttpWith, HubUnreachableError, TerminalRefusal, trustingSchemas } from "@comanda/terminal";
import { hubAddress } from "../../lib/device/hub-address.ts";

/** Signs in with a back-office account, through the hub. */
export function SignInForm({
  login: knownLogin = "",
  isFirst = false,
  onSignedIn,
}: {
  /** Login of the account whose session has ended here. */
  login?: string | undefined;
  /** Whether to ask for the name of a new device. */
  isFirst?: boolean;
  onSignedIn: (account: Account) => void;
}) {
  const { t } = useTranslation("signIn");
  const [failed, setFailed] = useState<string | null>(null);
  // A form's action clears its fields. The user name is kept for when the password was mistyped.
  const [login, setLogin] = useState(knownLogin);
  const [isUnnamed] = useState(() => isFirst && readDevice().isUnnamed === true);
  const [name, setName] = useState("");

  async function submit(form: FormData): Promise<void> {
    const result = await signIn(login.trim(), formText(form, "password"));
    const isTaken = "account" in result && isUnnamed && (await isNameTaken(name, result.account.token));
    if ("failed" in result) return setFailed(t(`failed.${result.failed}`));
    if (isTaken) return setFailed(translator("device")("nameTaken", { name: deviceName(name) }));
    if (isUnnamed) nameNewDevice(name);
    signedInByForm.set(result.account.user.id);
    onSignedIn({ ...result.account, login: login.trim() });
  }

  return (
    <form action={submit} className="gate-form">
      <TextField
        label={t("login")}
        name="login"
        value={login}
        autoComplete="username"
        autoCapitalize="none"
        required
        maxLength={128}
        onValue={setLogin}
      />
      <TextField
        label={t("password")}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
      />
      {isUnnamed && (
        <Suspense>
          <DeviceNameField value={name} onValue={setName} />
        </Suspense>
      )}
      <Failure text={failed} />
      <SubmitButton data-kind="main">{t("signIn")}</SubmitButton>
    </form>
  );
}

/** A component of its own: its texts are not among those that every device loads first. */
function DeviceNameField({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const { t } = useTranslation("device");
  return (
    <TextField label={t("nameOfNew")} value={value} placeholder={t("nameOfNewHint")} maxLength={64} onValue={onValue} />
  );
}

type SignInFailure = "wrong" | "tooMany" | "unreachable" | "other";

/** Opens a back-office session through the hub. Never throws. */
async function signIn(login: string, password: string): Promise<{ account: Account } | { failed: SignInFailure }> {
  try {
    return { account: await createHubHttpWith(trustingSchemas, { url: hubAddress() }).signIn({ login, password }) };
  } catch (error) {
    if (error instanceof TerminalRefusal) return { failed: kindOf(error.code) };
    return { failed: error instanceof HubUnreachableError ? "unreachable" : "other" };
  }
}

/** Whether another device has the name, whose place this one would take. */
async function isNameTaken(typed: string, token: string): Promise<boolean> {
  const name = deviceName(typed);
  if (name === "") return false;
  const http = createHubHttpWith(trustingSchemas, { url: hubAddress(), token: () => token });
  return http.isNameUnused(name).then(
    (isUnused) => !isUnused,
    // A refusal means that no device may have the name. If the hub does not answer, it refuses later, on connect.
    (error: unknown) => error instanceof TerminalRefusal,
  );
}

function kindOf(code: string): SignInFailure {
  if (code === "UNAUTHENTICATED" || code === "INVALID_CREDENTIALS") return "wrong";
  if (code === "RATE_LIMITED") return "tooMany";
  return code === "UPSTREAM_UNAVAILABLE" ? "unreachable" : "other";
}
