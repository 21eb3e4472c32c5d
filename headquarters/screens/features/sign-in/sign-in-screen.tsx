import type { HqSession } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { Form } from "../../components/form.tsx";
import { TextField } from "../../components/text-field.tsx";
import { cache } from "../../lib/cache.ts";
import { callHq } from "../../lib/hq.ts";
import { useAct } from "../../lib/use-act.ts";
import { storeAddress } from "./stored-address.ts";
import { takeProviderFailure } from "./provider-failure.ts";

export function SignInScreen({
  chainName,
  provider,
  endedAt,
}: Pick<Exclude<HqSession, { state: "in" }>, "chainName" | "provider" | "endedAt">) {
  const { t, format } = useTranslation("signIn");
  const acting = useAct();
  return (
    <main className="narrow-page">
      <img src="./icon.svg" alt="" width={48} height={48} />
      <h1>{t("title", { chain: chainName })}</h1>
      {endedAt !== undefined && (
        <p className="failure" data-tone="warn" role="status">
          {t("supportEnded", { at: format.dateTime(endedAt) })}
        </p>
      )}
      {provider !== null && <ProviderSignIn {...provider} />}
      <Form
        action={t("signIn")}
        acting={acting}
        send={async (text) => {
          const body = { login: text("login"), password: text("password") };
          cache.setQueryData(["session"], await callHq("signIn", { body }));
        }}
      >
        <TextField name="login" label={t("login")} autoComplete="username" />
        <TextField name="password" label={t("password")} type="password" autoComplete="current-password" />
      </Form>
    </main>
  );
}

/** The link to the identity provider, and the failure of the last attempt. */
function ProviderSignIn({ name, startUrl }: NonNullable<HqSession["provider"]>) {
  const { t } = useTranslation("signIn");
  const [failure] = useState(takeProviderFailure);
  return (
    <>
      {failure !== null && (
        <p className="failure" data-tone="bad" role="alert">
          {t(`failed.${failure}`, { name })}
        </p>
      )}
      <a className="act" data-kind="main" href={startUrl} onClick={storeAddress}>
        {t("signInWith", { name })}
      </a>
      <p className="soft">{t("orPassword")}</p>
    </>
  );
}
