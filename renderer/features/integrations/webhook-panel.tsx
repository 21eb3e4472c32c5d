import { Button, Checkbox, Stack } from "@mantine/core";
import { WebhookEvent, type WebhookCreated } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { FormDialog } from "../../components/forms/dialog.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { ConfirmationNote, useNeedsConfirmation } from "../../components/forms/needs-confirmation.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { CheckField, TextField } from "../../components/forms/form-fields.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { useDraft } from "../../lib/use-draft.ts";
import { SecretOnce } from "./shown-once.tsx";
import { useNameLabels } from "./webhook-labels.ts";
import { WebhookRow } from "./webhook-row.tsx";

/** The webhook subscriptions and their health. */
export function WebhookPanel() {
  const { t } = useTranslation("integrations");
  const webhooks = useHub("webhooks");
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<WebhookCreated | null>(null);
  const paused = webhooks.data?.paused ?? false;
  const whyNot = useNeedsConfirmation();
  return (
    <Panel
      title={t("webhooks")}
      about={t(paused ? "pausedNote" : "webhooksAbout")}
      flush
      actions={
        <>
          <ActionButton
            label={t(paused ? "resume" : "pause")}
            run={() => callHub("pauseWebhooks", { body: { paused: !paused } })}
          />
          <Button disabled={whyNot(t("newWebhook")) !== undefined} onClick={() => setCreating(true)}>
            {t("newWebhook")}
          </Button>
        </>
      }
    >
      <ConfirmationNote what={t("webhooksConfirmed")} />
      <Loaded query={webhooks}>
        {(list) =>
          list.webhooks.length === 0 ? (
            <Empty title={t("noWebhooksTitle")}>{t("noWebhooks")}</Empty>
          ) : (
            <div className="divided">
              {list.webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} onNewSecret={setCreated} />
              ))}
            </div>
          )
        }
      </Loaded>
      {creating && <NewWebhookDialog onClose={() => setCreating(false)} onCreated={setCreated} />}
      <SecretOnce created={created} onSaved={() => setCreated(null)} />
    </Panel>
  );
}

interface NewWebhookDialogProps {
  onClose: () => void;
  onCreated: (webhook: WebhookCreated) => void;
}

function NewWebhookDialog({ onClose, onCreated }: NewWebhookDialogProps) {
  const { t } = useTranslation("integrations");
  const labels = useNameLabels();
  const [url, setUrl, clearUrl] = useDraft("webhook-url");
  const [all, setAll] = useState(true);
  const [chosen, setChosen] = useState<string[]>([]);
  return (
    <FormDialog
      title={t("newWebhook")}
      submitLabel={t("create")}
      isReady={url.trim() !== "" && (all || chosen.length > 0)}
      onClose={onClose}
      run={async () => {
        const events = WebhookEvent.options.filter((event) => chosen.includes(event));
        onCreated(await callHub("createWebhook", { body: { url: url.trim(), events: all ? ["*"] : events } }));
        clearUrl();
      }}
    >
      <TextField
        field="url"
        label={t("url")}
        placeholder="https://"
        inputMode="url"
        value={url}
        maxLength={2048}
        required
        onChange={setUrl}
        data-autofocus
      />
      <CheckField label={t("allEvents")} checked={all} onChange={setAll} />
      {!all && (
        <Checkbox.Group label={t("events")} value={chosen} onChange={setChosen}>
          <Stack gap="xs" mt="xs">
            {WebhookEvent.options.map((event) => (
              <Checkbox key={event} value={event} label={`${labels.event(event)} (${event})`} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </FormDialog>
  );
}
