import { Button } from "@mantine/core";
import type { OperatorWebhook, WebhookCreated, WebhookTestResult } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Ago } from "../../../components/age.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useAct } from "../../../components/use-act.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { setWebhookSecret } from "../api/set-webhook-secret.ts";
import { testWebhook } from "../api/test-webhook.ts";
import { updateWebhook } from "../api/update-webhook.ts";
import { eventWords } from "../event-words.ts";
import { webhookHealth } from "../webhook-health.ts";

interface WebhookRowProps {
  webhook: OperatorWebhook;
  onRemove: () => void;
  onNewSecret: (webhook: WebhookCreated) => void;
  onChanged: () => Promise<void>;
}

/** One subscription: its health, what is queued, and a test with the answer. */
export function WebhookRow({ webhook, onRemove, onNewSecret, onChanged }: WebhookRowProps) {
  const { t, i18n } = useTranslation(["integrations", "common"]);
  const format = useFormat();
  const { act } = useAct();
  const renewing = useAct();
  const testing = useAct();
  const [result, setResult] = useState<WebhookTestResult | null>(null);
  const health = webhookHealth(webhook);
  const { url } = webhook;
  return (
    <article className="webhook" aria-label={url}>
      <div>
        <p className="webhook-url">{url}</p>
        <p className="soft">{eventWords(webhook.events, i18n.language, format)}</p>
      </div>
      <div className="button-row">
        <Button
          size="xs"
          variant="default"
          loading={testing.busy}
          aria-label={t("integrations:testOf", { url })}
          onClick={() => void testing.act(async () => setResult(await testWebhook(webhook.id)))}
        >
          {t("integrations:test")}
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={t(webhook.enabled ? "integrations:disableOf" : "integrations:enableOf", { name: url })}
          onClick={() => void act(() => updateWebhook(webhook.id, !webhook.enabled).then(onChanged))}
        >
          {t(webhook.enabled ? "common:disable" : "common:enable")}
        </Button>
        <Button size="xs" variant="default" aria-label={t("integrations:deleteOf", { name: url })} onClick={onRemove}>
          {t("common:remove")}
        </Button>
      </div>
      <p className="webhook-notes">
        <StatusMark tone={health.tone}>{t(`integrations:health.${health.name}`, { count: health.count })}</StatusMark>
        {webhook.nearlyDead > 0 && (
          <StatusMark tone="warn">{t("integrations:nearlyDead", { count: webhook.nearlyDead })}</StatusMark>
        )}
        {webhook.pending > 0 && <span>{t("integrations:pendingCount", { count: webhook.pending })}</span>}
        {webhook.nextAttemptAt !== null && (
          <span>{t("integrations:nextAttempt", { time: format.timeExact(webhook.nextAttemptAt) })}</span>
        )}
        {webhook.lastSuccessAt !== null && (
          <span>
            {t("integrations:lastSuccess")} <Ago at={webhook.lastSuccessAt} />
          </span>
        )}
        {webhook.lastFailure !== null && health.name !== "good" && (
          <span>{webhook.lastFailure.status ?? t(`common:webhookError.${webhook.lastFailure.error}`)}</span>
        )}
        <Link href="/integrations/deliveries">{t("integrations:deliveries")}</Link>
      </p>
      {webhook.needsSecret === true && (
        <div className="webhook-answer">
          <p>{t("integrations:needsSecret")}</p>
          <Button
            size="xs"
            loading={renewing.busy}
            aria-label={t("integrations:newSecretOf", { url })}
            onClick={() =>
              void renewing.act(async () => {
                onNewSecret(await setWebhookSecret(webhook.id));
                await onChanged();
              })
            }
          >
            {t("integrations:newSecret")}
          </Button>
        </div>
      )}
      {result !== null && (
        <div className="webhook-answer" role="status">
          <StatusMark tone={result.sent && result.status < 300 ? "good" : "bad"}>
            {result.sent
              ? t("integrations:testGood", { status: result.status, duration: format.duration(result.durationMs) })
              : t("integrations:testBad", { error: t(`common:webhookError.${result.error}`) })}
          </StatusMark>
          {result.sent && result.answer !== "" && <pre className="code-box">{result.answer}</pre>}
        </div>
      )}
    </article>
  );
}
