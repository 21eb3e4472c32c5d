import { Button, Checkbox, Group, Modal, Stack, TextInput } from "@mantine/core";
import { WebhookEvent, type WebhookCreated } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { useDraft } from "../../../lib/use-draft.ts";
import { createWebhook } from "../api/create-webhook.ts";
import { integrationsTexts } from "../texts.ts";

interface NewWebhookProps {
  open: boolean;
  onClose: () => void;
  onCreated: (webhook: WebhookCreated) => void;
}

export function NewWebhook({ open, onClose, onCreated }: NewWebhookProps) {
  const { t, i18n } = useTranslation(["integrations", "common"]);
  const [url, setUrl, clearUrl] = useDraft("webhook-url");
  const [all, setAll] = useState(true);
  const [chosen, setChosen] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const words = integrationsTexts[i18n.language === "en" ? "en" : "es"].event;

  async function create() {
    setBusy(true);
    setError(null);
    try {
      const events = WebhookEvent.options.filter((event) => chosen.includes(event));
      const webhook = await createWebhook({ url: url.trim(), events: all ? ["*"] : events });
      clearUrl();
      onCreated(webhook);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      opened={open}
      onClose={onClose}
      title={t("integrations:newWebhook")}
      centered
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Stack>
          <TextInput
            label={t("integrations:url")}
            placeholder="https://"
            type="url"
            value={url}
            maxLength={2048}
            required
            withAsterisk={false}
            onChange={(event) => setUrl(event.currentTarget.value)}
            data-autofocus
          />
          <Checkbox
            label={t("integrations:allEvents")}
            checked={all}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
          {!all && (
            <Checkbox.Group label={t("integrations:events")} value={chosen} onChange={setChosen}>
              <Stack gap="xs" mt="xs">
                {WebhookEvent.options.map((event) => (
                  <Checkbox key={event} value={event} label={`${words[event]} (${event})`} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          {error !== null && <ErrorNotice error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common:cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={url.trim() === "" || (!all && chosen.length === 0)}>
              {t("integrations:create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
