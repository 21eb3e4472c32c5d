import type { OperatorWebhook, WebhookCreated, WebhookTestResult } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { ActionButton, ActionRow } from "../../components/forms/action-button.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { callHub } from "../../lib/hub.ts";
import { TestResult } from "./test-result.tsx";
import { useAnswerText, useNameLabels, webhookHealth } from "./webhook-labels.ts";

interface WebhookRowProps {
  webhook: OperatorWebhook;
  onNewSecret: (webhook: WebhookCreated) => void;
}

/** One subscription: its health, what is queued, and a test with the answer. */
export function WebhookRow({ webhook, onNewSecret }: WebhookRowProps) {
  const { t } = useTranslation(["integrations", "common"]);
  const labels = useNameLabels();
  const [result, setResult] = useState<WebhookTestResult | null>(null);
  const { url, enabled } = webhook;
  const params = { webhookId: webhook.id };
  return (
    <article className="tight webhook" aria-label={url}>
      <div>
        <p className="webhook-url">{url}</p>
        <p className="soft">{labels.events(webhook.events)}</p>
      </div>
      <ActionRow
        actions={[
          {
            label: t("common:test"),
            name: t("testOf", { url }),
            run: async () => setResult(await callHub("testWebhook", { params, body: {} })),
          },
          {
            label: t(enabled ? "common:disable" : "common:enable"),
            name: t(enabled ? "disableOf" : "enableOf", { name: url }),
            ...(enabled && { confirm: { title: t("disableWebhookTitle"), body: t("disableWebhookBody", { url }) } }),
            run: () => callHub("updateWebhook", { params, body: { enabled: !enabled } }),
          },
          {
            label: t("common:remove"),
            name: t("deleteOf", { name: url }),
            confirm: { title: t("deleteWebhookTitle"), body: t("deleteWebhookBody", { url }), danger: true },
            run: () => callHub("deleteWebhook", { params }),
          },
        ]}
      />
      <HealthNotes webhook={webhook} />
      {webhook.pausedUntil !== undefined && <p className="soft webhook-answer">{t("pausedAbout")}</p>}
      {webhook.needsSecret === true && (
        <div className="webhook-answer">
          <p>{t("needsSecret")}</p>
          <ActionButton
            size="xs"
            label={t("newSecret")}
            name={t("newSecretOf", { url })}
            primary
            needsConfirmation
            run={async () => onNewSecret(await callHub("setWebhookSecret", { params, body: {} }))}
          />
        </div>
      )}
      {result !== null && <TestResult result={result} />}
    </article>
  );
}

function HealthNotes({ webhook }: Pick<WebhookRowProps, "webhook">) {
  const { t, format } = useTranslation(["integrations", "common"]);
  const answerText = useAnswerText();
  const health = webhookHealth(webhook);
  const { nearlyDead, pending, nextAttemptAt, lastSuccessAt, lastFailure } = webhook;
  return (
    <p className="soft chips webhook-notes">
      <StatusMark tone={health.tone}>{t(`health.${health.name}`, { count: health.count })}</StatusMark>
      {nearlyDead > 0 && <StatusMark tone="warn">{t("nearlyDead", { count: nearlyDead })}</StatusMark>}
      {pending > 0 && <span>{t("pendingCount", { count: pending })}</span>}
      {nextAttemptAt !== null && <span>{t("nextAttempt", { time: format.timeExact(nextAttemptAt) })}</span>}
      {lastSuccessAt !== null && (
        <span>
          {t("lastSuccess")} <TimeAgo at={lastSuccessAt} />
        </span>
      )}
      {lastFailure !== null && health.name !== "good" && (
        <span>{answerText(lastFailure.status, lastFailure.error)}</span>
      )}
      <Link href="/integrations/deliveries">{t("tabs.deliveries")}</Link>
    </p>
  );
}
