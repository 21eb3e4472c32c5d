import type { WebhookCreated } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { CopyField } from "../../../components/copy-field.tsx";
import { ShownOnce } from "./shown-once.tsx";

/** A new subscription's secret: here and nowhere else, until it is said to be saved. */
export function SecretOnce({ created, onSaved }: { created: WebhookCreated | null; onSaved: () => void }) {
  const { t } = useTranslation("integrations");
  return (
    <ShownOnce opened={created !== null} title={t("secretTitle")} about={t("secretAbout")} onSaved={onSaved}>
      {created !== null && <CopyField label={t("secret")} value={created.secret} />}
    </ShownOnce>
  );
}
