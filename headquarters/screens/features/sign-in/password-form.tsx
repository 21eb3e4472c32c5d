import { useTranslation } from "@comanda/ui/translation.ts";
import { useState } from "react";
import { Form } from "../../components/form.tsx";
import { TextField } from "../../components/text-field.tsx";
import { callHq } from "../../lib/hq.ts";
import type { useAct } from "../../lib/use-act.ts";

/** The form for a new password. `changing` is shared with its dialog, which stays open until the answer. */
export function PasswordForm({ changing }: { changing: ReturnType<typeof useAct> }) {
  const { t } = useTranslation("signIn");
  const [isChanged, setChanged] = useState(false);
  return (
    <details>
      <summary>{t("changePassword")}</summary>
      <Form
        action={t("changePassword")}
        acting={changing}
        send={(text) => {
          setChanged(false);
          return callHq("changePassword", { body: { current: text("current"), next: text("next") } });
        }}
        onSent={(form) => {
          setChanged(true);
          form.reset();
        }}
      >
        <TextField name="current" label={t("currentPassword")} type="password" autoComplete="current-password" />
        <TextField name="next" label={t("newPassword")} type="password" autoComplete="new-password" minLength={10} />
      </Form>
      {isChanged && <output>{t("changed")}</output>}
    </details>
  );
}
