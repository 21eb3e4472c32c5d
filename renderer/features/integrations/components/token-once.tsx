import { Button, Modal, Stack } from "@mantine/core";
import type { KeyCreated } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { CopyField } from "../../../components/copy-field.tsx";

/** A new key's token: here and nowhere else, until it is said to be saved. */
export function TokenOnce({ created, onSaved }: { created: KeyCreated | null; onSaved: () => void }) {
  const { t } = useTranslation("integrations");
  return (
    <Modal
      opened={created !== null}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="lg"
      centered
      title={t("tokenTitle")}
    >
      {created !== null && (
        <Stack>
          <p className="no-margin">{t("tokenAbout")}</p>
          <CopyField label={t("token")} value={created.token} />
          <CopyField
            block
            label={t("tryIt")}
            value={`curl -H 'X-Api-Key: ${created.token}' ${location.origin}/external/v1/session`}
          />
          <Button onClick={onSaved}>{t("saved")}</Button>
        </Stack>
      )}
    </Modal>
  );
}
