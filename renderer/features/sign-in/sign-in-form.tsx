import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { StatusMark } from "../../components/status-mark.tsx";
import { asFailure } from "../../lib/hub-failure.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { useSignIn } from "./api/sign-in.ts";

/** User and password; a refusal is told apart from an account that is no manager's. */
export function SignInForm() {
  const { t } = useTranslation("signIn");
  const [login, setLogin] = useDraft("sign-in-login");
  const [password, setPassword] = useState("");
  const signIn = useSignIn();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate({ login: login.trim(), password });
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={t("login")}
          value={login}
          onChange={(event) => setLogin(event.currentTarget.value)}
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus
        />
        <PasswordInput
          label={t("password")}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        {signIn.error !== null && <Refusal error={signIn.error} />}
        <Button type="submit" loading={signIn.isPending}>
          {t("action")}
        </Button>
      </Stack>
    </form>
  );
}

function Refusal({ error }: { error: unknown }) {
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
