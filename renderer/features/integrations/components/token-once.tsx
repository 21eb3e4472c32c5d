import type { KeyCreated } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { CopyField } from "../../../components/copy-field.tsx";
import { ShownOnce } from "./shown-once.tsx";

/** A new key's token: here and nowhere else, until it is said to be saved. */
export function TokenOnce({ created, onSaved }: { created: KeyCreated | null; onSaved: () => void }) {
  const { t } = useTranslation("integrations");
  return (
    <ShownOnce opened={created !== null} title={t("tokenTitle")} about={t("tokenAbout")} onSaved={onSaved}>
      {created !== null && (
        <>
          <CopyField label={t("token")} value={created.token} />
          <CopyField
            block
            label={t("tryIt")}
            value={`curl -H 'X-Api-Key: ${created.token}' ${location.origin}/external/v1/session`}
          />
        </>
      )}
    </ShownOnce>
  );
}
