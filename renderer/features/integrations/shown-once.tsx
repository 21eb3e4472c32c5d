import { Anchor, Button, Modal, Stack } from "@mantine/core";
import { firstOrderCommand, type KeyCreated, type SampleOrder, type WebhookCreated } from "@comanda/protocol";
import type { ReactNode } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { CopyField } from "../../components/forms/copy-field.tsx";
import { useFocusReturn } from "../../lib/use-focus-return.ts";

interface OnceProps<T> {
  created: T | null;
  onSaved: () => void;
}

/** A new key, with an order that it can send right away. */
export type NewKey = KeyCreated & { sample: SampleOrder | null };

/** Shows a new key's token for the only time, with a first order that is ready to send. */
export function TokenOnce({ created, onSaved }: OnceProps<NewKey>) {
  const { t } = useTranslation("integrations");
  if (created === null) return null;
  const { token, sample } = created;
  const url = location.origin;
  return (
    <ShownOnce title={t("tokenTitle")} about={t("tokenAbout")} onSaved={onSaved}>
      <CopyField label={t("token")} value={token} />
      {sample === null ? (
        <CopyField label={t("tryIt")} value={`curl -H "X-Api-Key: ${token}" ${url}/external/v1/session`} />
      ) : (
        <div>
          <CopyField label={t("firstOrder")} value={firstOrderCommand({ url, token, order: sample.order })} />
          <p className="soft">
            {sample.tableName === null
              ? t("firstOrderTakeout", { dish: sample.dishName })
              : t("firstOrderAbout", { dish: sample.dishName, table: sample.tableName })}
          </p>
        </div>
      )}
      <Anchor href="/external/docs" target="_blank" rel="noreferrer">
        {t("toDocs")}
      </Anchor>
    </ShownOnce>
  );
}

/** Shows a subscription's new secret for the only time. */
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

/** Closes only by its button, so that a stray key press loses nothing. */
function ShownOnce({ title, about, onSaved, children }: ShownOnceProps) {
  const { t } = useTranslation("integrations");
  useFocusReturn();
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
