import type { DeliveryState, OperatorDelivery, OperatorWebhook, Scope, WebhookError } from "@comanda/protocol";
import { useLanguage, useTranslation } from "@comanda/ui/translation.ts";
import type { Tone } from "../../components/layout/status-mark.tsx";
import { useFormat } from "@comanda/ui/format.ts";
import { useTableName } from "../../components/labels.ts";
import { isAccepted, useEventLabel } from "../../components/webhook-event-label.ts";
import texts from "./texts.json" with { type: "json" };

export const deliveryTone: Record<DeliveryState, Tone> = {
  pending: "accent",
  delivered: "good",
  dead: "bad",
  parked: "idle",
};

/** Returns the labels of scopes and events. Scopes come from the table itself: `t` would split their names at the colon. */
export function useNameLabels() {
  const language = useLanguage();
  const format = useFormat();
  const event = useEventLabel();
  const tableName = useTableName();
  return {
    scope: (scope: Scope) => texts.scope[scope][language],
    event,
    /** The order or table that a delivery is about. */
    subject: ({ subject, tableId }: Pick<OperatorDelivery, "subject" | "tableId">) =>
      tableId === null ? subject : tableName(tableId),
    /** The events of a subscription. */
    events(events: OperatorWebhook["events"]) {
      const named = events.filter((name) => name !== "*");
      if (named.length === 0 || named.length < events.length) return texts.allEvents[language];
      return format.list(named.map(event));
    },
  };
}

/** Returns a function that describes an answer: "received (200)", "answered with an error (502)", "no answer", or "–". */
export function useAnswerText() {
  const { t } = useTranslation(["integrations", "common"]);
  return (status: number | null, error: WebhookError | null) => {
    if (status !== null) return t(isAccepted(status) ? "answerGood" : "answerBad", { status });
    return error === null ? "–" : t(`common:webhookError.${error}`);
  };
}

export interface WebhookHealth {
  name: "off" | "needsSecret" | "paused" | "dead" | "failing" | "good" | "idle";
  tone: Tone;
  count: number;
}

/** Returns the health of a subscription. The worst problem decides. */
export function webhookHealth(webhook: OperatorWebhook): WebhookHealth {
  if (!webhook.enabled) return { name: "off", tone: "idle", count: 0 };
  if (webhook.needsSecret === true) return { name: "needsSecret", tone: "bad", count: 0 };
  if (webhook.pausedUntil !== undefined) return { name: "paused", tone: "bad", count: 0 };
  if (webhook.deadLettered > 0) return { name: "dead", tone: "bad", count: webhook.deadLettered };
  if (webhook.consecutiveFailures > 0) return { name: "failing", tone: "warn", count: webhook.consecutiveFailures };
  if (webhook.lastSuccessAt !== null) return { name: "good", tone: "good", count: 0 };
  return { name: "idle", tone: "idle", count: 0 };
}
