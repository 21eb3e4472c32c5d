import { Button, Modal, Stack } from "@mantine/core";
import type { KeyCreated, WebhookCreated } from "@comanda/protocol";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CopyField } from "../../components/copy-field.tsx";

interface OnceProps<T> {
  created: T | null;
  onSaved: () => void;
}

/** A new key's token, shown here and nowhere else. */
export function TokenOnce({ created, onSaved }: OnceProps<KeyCreated>) {
  const { t } = useTranslation("integrations");
  if (created === null) return null;
  const example = `curl -H 'X-Api-Key: ${created.token}' ${location.origin}/external/v1/session`;
  return (
    <ShownOnce title={t("tokenTitle")} about={t("tokenAbout")} onSaved={onSaved}>
      <CopyField label={t("token")} value={created.token} />
      <CopyField label={t("tryIt")} value={example} />
    </ShownOnce>
  );
}

/** A subscription's new secret, shown here and nowhere else. */
export function SecretOnce({ created, onSaved }: OnceProps<WebhookCreated>) {
  const { t } = useTranslation("integrations");
  if (created === null) return null;
  return (
    <ShownOnce title={t("secretTitle")} about={t("secretAbout")} onSaved={onSaved}>
      <CopyField label={t("secret")} value={created.secret} />
    </ShownOnce>
  );
}

interface ShownOnceProps {
  title: string;
  about: string;
  onSaved: () => void;
  children: ReactNode;
}

/** Closes by its button only, so that nothing is lost by a stray key. */
function ShownOnce({ title, about, onSaved, children }: ShownOnceProps) {
  const { t } = useTranslation("integrations");
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="lg"
      centered
      title={title}
    >
      <Stack>
        <p className="no-margin">{about}</p>
        {children}
        <Button onClick={onSaved}>{t("saved")}</Button>
      </Stack>
    </Modal>
  );
}
