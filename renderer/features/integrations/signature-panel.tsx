import { Button, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { Form } from "@comanda/ui/form.tsx";
import { PasswordField, TextField } from "../../components/forms/form-fields.tsx";
import { useDraft } from "../../lib/use-draft.ts";
import { verifySignature, type SignatureCheck } from "./verify-signature.ts";

/** Checks a received signature without sending anything anywhere. */
export function SignaturePanel() {
  const { t } = useTranslation("integrations");
  const [header, setHeader] = useDraft("verify-header");
  const [body, setBody] = useDraft("verify-body");
  const [secret, setSecret] = useState("");
  const [result, setResult] = useState<SignatureCheck | null>(null);
  return (
    <Panel title={t("verify")} about={t("verifyAbout")}>
      <Form onSubmit={() => verifySignature(header, body, secret.trim()).then(setResult)}>
        <Stack>
          <TextField label={t("header")} placeholder="t=1790000000,v1=…" value={header} onChange={setHeader} />
          <Textarea
            label={t("rawBody")}
            rows={6}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
          <PasswordField label={t("secret")} value={secret} autoComplete="off" onChange={setSecret} />
          <div role="status">
            {result?.ok === true && (
              <>
                <StatusMark tone="good">{t("good")}</StatusMark> <TimeAgo at={result.signedAt} />
              </>
            )}
            {result?.ok === false && <StatusMark tone="bad">{t(result.reason)}</StatusMark>}
          </div>
          <Button type="submit" disabled={header === "" || secret === ""}>
            {t("check")}
          </Button>
        </Stack>
      </Form>
    </Panel>
  );
}
