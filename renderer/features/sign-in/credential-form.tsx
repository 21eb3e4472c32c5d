import { Stack, type PasswordInputProps } from "@mantine/core";
import type { SignedIn } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ErrorNotice } from "../../components/failures/error-notice.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Form } from "@comanda/ui/form.tsx";
import { PasswordField, TextField } from "../../components/forms/form-fields.tsx";
import { asFailure, type FailureCode } from "../../lib/hub-failure.ts";
import { signIn } from "../../lib/session.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { BusyButton } from "../../components/forms/busy-button.tsx";

type Reason = "refused" | "forbidden" | "pinRefused" | "pinLocked" | "pinTooOld" | "pinNotNow";

interface CredentialFormProps {
  /** The field beside the user's name: a password or a PIN. */
  secret: Pick<PasswordInputProps, "label" | "autoComplete" | "inputMode" | "maxLength">;
  submitLabel: string;
  /** The meaning of each refusal here. */
  reasons: Partial<Record<FailureCode, Reason>>;
  enter: (login: string, secret: string) => Promise<SignedIn>;
  /** Shown above the fields; `children` are below the button. */
  intro?: ReactNode;
  children?: ReactNode;
}

/** A form for the user's name and a secret, which explains refusals. */
export function CredentialForm({ secret, submitLabel, reasons, enter, intro, children }: CredentialFormProps) {
  const { t } = useTranslation("signIn");
  const [login, setLogin] = useDraft("sign-in-login");
  const [typed, setTyped] = useState("");
  const attempt = useMutation({
    mutationFn: () => enter(login.trim(), typed),
    onSuccess: ({ token, user, pinUntil }) => signIn(token, user, pinUntil),
  });
  return (
    <Form onSubmit={() => attempt.mutate()}>
      <Stack gap="sm">
        {intro}
        <TextField
          label={t("login")}
          value={login}
          onChange={setLogin}
          autoComplete="username"
          required
          data-autofocus
        />
        <PasswordField {...secret} value={typed} onChange={setTyped} required />
        {attempt.error !== null && <Refusal error={attempt.error} reasons={reasons} />}
        <BusyButton type="submit" loading={attempt.isPending}>
          {submitLabel}
        </BusyButton>
        {children}
      </Stack>
    </Form>
  );
}

function Refusal({ error, reasons }: { error: unknown } & Pick<CredentialFormProps, "reasons">) {
  const { t } = useTranslation("signIn");
  const reason = reasons[asFailure(error).code];
  if (reason === undefined) return <ErrorNotice error={error} />;
  return (
    <div role="alert">
      <StatusMark tone="bad">{t(`${reason}What`)}</StatusMark>
      <p className="soft">{t(`${reason}Todo`)}</p>
    </div>
  );
}
