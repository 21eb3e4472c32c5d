import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { StatusMark } from "../../components/status-mark.tsx";
import { asFailure } from "../../lib/hub-failure.ts";
import { callHub } from "../../lib/hub.ts";
import { signIn } from "../../lib/session.ts";
import { useDraft } from "../../lib/use-draft.ts";

/** User and password; says whether they are wrong or the account is not a manager's. */
export function SignInForm() {
  const { t } = useTranslation("signIn");
  const [login, setLogin] = useDraft("sign-in-login");
  const [password, setPassword] = useState("");
  const attempt = useMutation({
    mutationFn: () => callHub("signIn", { body: { login: login.trim(), password } }),
    onSuccess: ({ token, user }) => signIn(token, user),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        attempt.mutate();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t("login")}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
          autoComplete="username"
          required
          data-autofocus
        />
        <PasswordInput
          label={t("password")}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
        />
        {attempt.error !== null && <SignInError error={attempt.error} />}
        <Button type="submit" loading={attempt.isPending}>
          {t("action")}
        </Button>
      </Stack>
    </form>
  );
}

function SignInError({ error }: { error: unknown }) {
  const { t } = useTranslation("signIn");
  const { code } = asFailure(error);
  if (code !== "HUB-UNAUTHENTICATED" && code !== "HUB-FORBIDDEN") return <ErrorNotice error={error} />;
  const kind = code === "HUB-FORBIDDEN" ? "forbidden" : "refused";
  return (
    <div role="alert">
      <StatusMark tone="bad">{t(`${kind}What`)}</StatusMark>
      <p className="soft">{t(`${kind}Todo`)}</p>
    </div>
  );
}
