import { Modal } from "@mantine/core";
import type { ForwardEvent } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Loaded } from "../../../components/loaded.tsx";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useForwardEvent } from "../api/forward-event.ts";

const toneOf = { finalized: "good", duplicate: "good", failed: "bad", unreachable: "warn" } as const;

/** Every try of one event, with what came back. */
export function EventAttempts({ event, onClose }: { event: ForwardEvent; onClose: () => void }) {
  const { t } = useTranslation(["backOffice", "common"]);
  const format = useFormat();
  const detail = useForwardEvent(event.eventId);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      centered
      title={t("backOffice:details", { reference: event.posReference })}
      closeButtonProps={{ "aria-label": t("common:close") }}
    >
      <Loaded query={detail}>
        {({ attempts }) => (
          <ol className="gate-list">
            {attempts.toReversed().map((attempt) => (
              <li key={attempt.attempt}>
                <div className="gate-row">
                  <span className="num">{format.dateTime(attempt.at)}</span>
                  <StatusMark tone={toneOf[attempt.outcome]}>{t(`backOffice:outcome.${attempt.outcome}`)}</StatusMark>
                  <span className="soft num">{format.duration(attempt.durationMs)}</span>
                </div>
                {attempt.error !== null && (
                  <div className="their-words">
                    {attempt.error} <span className="mono">{attempt.errorCode}</span>
                  </div>
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Modal>
  );
}
