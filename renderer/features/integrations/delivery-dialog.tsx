import { Stack } from "@mantine/core";
import type { DeliveryAttempt, DeliveryDetail } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton } from "../../components/forms/action-button.tsx";
import { CopyField } from "../../components/forms/copy-field.tsx";
import { Dialog } from "../../components/forms/dialog.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { callHub, useHub } from "../../lib/hub.ts";
import { isAccepted } from "../../components/webhook-event-label.ts";
import { deliveryTone, useAnswerText, useNameLabels } from "./webhook-labels.ts";

/** One delivery: every attempt with its answer and headers, the body, and a button that sends it again. */
export function DeliveryDialog({ deliveryId, onClose }: { deliveryId: number; onClose: () => void }) {
  const { t } = useTranslation("integrations");
  const delivery = useHub("delivery", { params: { deliveryId } });
  return (
    <Dialog size="xl" title={t("detailTitle", { id: deliveryId })} onClose={onClose}>
      <Loaded query={delivery}>{(detail) => <Content detail={detail} />}</Loaded>
    </Dialog>
  );
}

function Content({ detail: { delivery, body, attempts } }: { detail: DeliveryDetail }) {
  const { t } = useTranslation("integrations");
  const labels = useNameLabels();
  const { id } = delivery;
  return (
    <Stack>
      <div className="soft chips webhook-notes">
        <StatusMark tone={deliveryTone[delivery.state]}>{t(`delivery.${delivery.state}`)}</StatusMark>
        <span>
          {labels.event(delivery.event)} <span className="soft mono">{delivery.event}</span>
        </span>
        <span>{labels.subject(delivery)}</span>
        <span>{delivery.url}</span>
        <ActionButton
          size="xs"
          label={t("replay")}
          name={t("replayOf", { id })}
          run={() => callHub("replayDelivery", { params: { deliveryId: id } })}
          done={t("replayed", { id })}
        />
      </div>
      <ol className="plain-list divided attempts">
        {attempts.toReversed().map((attempt, index) => (
          <Attempt key={`${attempt.attempt}-${attempt.at}`} attempt={attempt} isLatest={index === 0} />
        ))}
      </ol>
      <CopyField label={t("body")} value={body} />
    </Stack>
  );
}

function Attempt({ attempt, isLatest }: { attempt: DeliveryAttempt; isLatest: boolean }) {
  const { t, format } = useTranslation(["integrations", "common"]);
  const answerText = useAnswerText();
  const good = isAccepted(attempt.status);
  const headers = Object.entries(attempt.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <li>
      <details open={isLatest}>
        <summary>
          <strong>{t("attempt", { attempt: attempt.attempt })}</strong>
          <StatusMark tone={good ? "good" : "bad"}>
            {answerText(attempt.status, attempt.error ?? "unreachable")}
          </StatusMark>
          <span className="soft num">
            {format.dateTime(attempt.at)} · {format.duration(attempt.durationMs)}
          </span>
        </summary>
        <p className="copy-label">{t("headers")}</p>
        <pre className="code-box">{headers.join("\n")}</pre>
        {attempt.answer !== null && (
          <>
            <p className="copy-label">{t("received")}</p>
            <pre className="code-box">{attempt.answer}</pre>
          </>
        )}
      </details>
    </li>
  );
}
