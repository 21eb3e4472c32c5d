import { useTranslation } from "@comanda/ui/translation.ts";
import { Form } from "../../components/form.tsx";
import { TextField } from "../../components/text-field.tsx";
import { cache } from "../../lib/cache.ts";
import { hq } from "../../lib/hq.ts";
import { useAct } from "../../lib/use-act.ts";

export function SignInScreen({ chainName }: { chainName: string }) {
  const { t } = useTranslation("signIn");
  const { isBusy, error, act } = useAct();
  return (
    <main className="narrow-page">
      <img src="./icon.svg" alt="" width={48} height={48} />
      <h1>{t("title", { chain: chainName })}</h1>
      <Form
        action={t("signIn")}
        isBusy={isBusy}
        error={error}
        onSubmit={(text) => {
          const body = { login: text("login"), password: text("password") };
          void act(async () => cache.setQueryData(["session"], await hq.signIn(body)));
        }}
      >
        <TextField name="login" label={t("login")} autoComplete="username" />
        <TextField name="password" label={t("password")} type="password" autoComplete="current-password" />
      </Form>
    </main>
  );
}
