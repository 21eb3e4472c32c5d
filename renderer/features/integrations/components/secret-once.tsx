import { Button, Modal, Stack } from "@mantine/core";
import type { WebhookCreated } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { CopyField } from "../../../components/copy-field.tsx";

/** A new subscription's secret: here and nowhere else, until it is said to be saved. */
export function SecretOnce({ created, onSaved }: { created: WebhookCreated | null; onSaved: () => void }) {
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
      title={t("secretTitle")}
    >
      {created !== null && (
        <Stack>
          <p className="no-margin">{t("secretAbout")}</p>
          <CopyField label={t("secret")} value={created.secret} />
          <Button onClick={onSaved}>{t("saved")}</Button>
        </Stack>
      )}
    </Modal>
  );
}
