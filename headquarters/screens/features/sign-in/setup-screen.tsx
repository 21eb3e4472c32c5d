import { useTranslation } from "@comanda/ui/translation.ts";
import { Form } from "../../components/form.tsx";
import { TextField } from "../../components/text-field.tsx";
import { cache } from "../../lib/cache.ts";
import { callHq } from "../../lib/hq.ts";
import { useAct } from "../../lib/use-act.ts";

/** Creates the first owner, with the code that is shown only in the program's log. */
export function SetupScreen({ chainName }: { chainName: string }) {
  const { t } = useTranslation("signIn");
  const acting = useAct();
  return (
    <main className="narrow-page">
      <img src="./icon.svg" alt="" width={48} height={48} />
      <h1>{t("title", { chain: chainName })}</h1>
      <h2>{t("setUp")}</h2>
      <p>{t("setUpAbout")}</p>
      <Form
        action={t("begin")}
        acting={acting}
        send={async (text) => {
          const body = { code: text("code"), name: text("name"), login: text("login"), password: text("password") };
          cache.setQueryData(["session"], await callHq("setUp", { body }));
        }}
      >
        <TextField name="code" label={t("code")} autoComplete="one-time-code" autoCapitalize="characters" />
        <TextField name="name" label={t("name")} autoComplete="name" />
        <TextField name="login" label={t("login")} autoComplete="username" />
        <TextField
          name="password"
          label={t("newPassword")}
          type="password"
          autoComplete="new-password"
          minLength={10}
        />
      </Form>
    </main>
  );
}
