import { Button, Modal, Stack } from "@mantine/core";
import type { DeliveryAttempt, DeliveryDetail } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { CopyField } from "../../../components/copy-field.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useAct } from "../../../components/use-act.ts";
import { hubKey } from "../../../lib/hub-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useDelivery } from "../api/delivery.ts";
import { replayDelivery } from "../api/replay-delivery.ts";
import { deliveryTone } from "../delivery-tone.ts";

/** One delivery: every attempt with its answer and headers, the body, and sending it again. */
export function DeliveryView({ deliveryId, onClose }: { deliveryId: number; onClose: () => void }) {
  const { t } = useTranslation(["integrations", "common"]);
  const delivery = useDelivery(deliveryId);
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t("integrations:detailTitle", { id: deliveryId })}
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <Loaded query={delivery}>{(detail) => <Content detail={detail} />}</Loaded>
    </Modal>
  );
}

function Content({ detail: { delivery, body, attempts } }: { detail: DeliveryDetail }) {
  const { t } = useTranslation("integrations");
  const queries = useQueryClient();
  const { busy, act } = useAct();
  const { id } = delivery;
  return (
    <Stack>
      <div className="webhook-notes">
        <StatusMark tone={deliveryTone[delivery.state]}>{t(`delivery.${delivery.state}`)}</StatusMark>
        <span>{delivery.event}</span>
        <span>{delivery.subject}</span>
        <span>{delivery.url}</span>
        <Button
          size="xs"
          variant="default"
          loading={busy}
          aria-label={t("replayOf", { id })}
          onClick={() =>
            void act(
              async () => {
                await replayDelivery(id);
                await queries.invalidateQueries({ queryKey: hubKey("deliveries") });
                await queries.invalidateQueries({ queryKey: hubKey("delivery") });
              },
              t("replayed", { id }),
            )
          }
        >
          {t("replay")}
        </Button>
      </div>
      <ol className="attempts">
        {attempts.toReversed().map((attempt, index) => (
          <Attempt key={`${attempt.attempt}-${attempt.at}`} attempt={attempt} isLatest={index === 0} />
        ))}
      </ol>
      <CopyField block label={t("body")} value={body} />
    </Stack>
  );
}

function Attempt({ attempt, isLatest }: { attempt: DeliveryAttempt; isLatest: boolean }) {
  const { t } = useTranslation(["integrations", "common"]);
  const format = useFormat();
  const good = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  const headers = Object.entries(attempt.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <li>
      <details open={isLatest}>
        <summary>
          <strong>{t("attempt", { attempt: attempt.attempt })}</strong>
          <StatusMark tone={good ? "good" : "bad"}>
            {attempt.status ?? t(`common:webhookError.${attempt.error ?? "unreachable"}`)}
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
