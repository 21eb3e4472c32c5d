import { Button } from "@mantine/core";
import type { OperatorWebhook, WebhookCreated } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Confirm } from "../../../components/confirm.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { useAct } from "../../../components/use-act.ts";
import { hubKey } from "../../../lib/hub-query.ts";
import { deleteWebhook } from "../api/delete-webhook.ts";
import { pauseWebhooks } from "../api/pause-webhooks.ts";
import { useWebhooks } from "../api/webhooks.ts";
import { NewWebhook } from "./new-webhook.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { WebhookRow } from "./webhook-row.tsx";
import "./integrations.css";

/** Who is told of changes, and how that fares. */
export function WebhookPanel() {
  const { t } = useTranslation(["integrations", "common"]);
  const webhooks = useWebhooks();
  const queries = useQueryClient();
  const { busy, act } = useAct();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<WebhookCreated | null>(null);
  const [removing, setRemoving] = useState<OperatorWebhook | null>(null);
  const readAgain = () => queries.invalidateQueries({ queryKey: hubKey("webhooks") });
  const paused = webhooks.data?.paused ?? false;
  return (
    <Panel
      title={t("integrations:webhooks")}
      about={paused ? t("integrations:pausedNote") : t("integrations:webhooksAbout")}
      flush
      actions={
        <>
          <Button
            variant="default"
            loading={busy}
            onClick={() => void act(() => pauseWebhooks(!paused).then(readAgain))}
          >
            {t(paused ? "integrations:resume" : "integrations:pause")}
          </Button>
          <Button onClick={() => setCreating(true)}>{t("integrations:newWebhook")}</Button>
        </>
      }
    >
      <Loaded query={webhooks}>
        {(list) =>
          list.webhooks.length === 0 ? (
            <Empty title={t("integrations:noWebhooksTitle")}>{t("integrations:noWebhooks")}</Empty>
          ) : (
            <div>
              {list.webhooks.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  webhook={webhook}
                  onRemove={() => setRemoving(webhook)}
                  onNewSecret={setCreated}
                  onChanged={readAgain}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      <NewWebhook
        open={creating}
        onClose={() => setCreating(false)}
        onCreated={(webhook) => {
          setCreating(false);
          setCreated(webhook);
          void readAgain();
        }}
      />
      <SecretOnce created={created} onSaved={() => setCreated(null)} />
      {removing !== null && (
        <Confirm
          open
          danger
          onClose={() => setRemoving(null)}
          title={t("integrations:deleteWebhookTitle")}
          action={t("common:remove")}
          run={() => deleteWebhook(removing.id).then(readAgain)}
        >
          {t("integrations:deleteWebhookBody", { url: removing.url })}
        </Confirm>
      )}
    </Panel>
  );
}
