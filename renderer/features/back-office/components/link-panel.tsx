import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { BackOfficeLink, BackOfficeStatus } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { Ago, Lasting } from "../../../components/age.tsx";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { fact, Facts } from "../../../components/facts.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { StatusMark, type Tone } from "../../../components/status-mark.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useBackOffice } from "../api/back-office.ts";
import { useTestBackOffice } from "../api/try-back-office.ts";
import "./back-office.css";

const toneOf: Record<BackOfficeLink, Tone> = {
  reachable: "good",
  unreachable: "warn",
  refused: "bad",
  signed_out: "warn",
  not_configured: "warn",
};

/** How the hub and the back-office stand, and what that means for service. */
export function LinkPanel() {
  const { t } = useTranslation("backOffice");
  const status = useBackOffice();
  const attempt = useTestBackOffice();
  return (
    <div className="two-panels">
      <Panel
        title={t("link")}
        actions={
          <Button
            size="xs"
            variant="default"
            loading={attempt.isPending}
            onClick={() =>
              attempt.mutate(undefined, {
                onSuccess: ({ state }) =>
                  notifications.show({ message: t("tried", { state: t(`states.${state}`) }), color: "petrol" }),
              })
            }
          >
            {t("tryNow")}
          </Button>
        }
      >
        {attempt.error !== null && <ErrorNotice error={attempt.error} />}
        <Loaded query={status}>{(data) => <LinkFacts status={data} />}</Loaded>
      </Panel>
      <Panel title={t("queue")} about={t("queueAbout")}>
        <Loaded query={status}>{(data) => <QueueFacts status={data} />}</Loaded>
      </Panel>
    </div>
  );
}

function LinkFacts({ status }: { status: BackOfficeStatus }) {
  const { t } = useTranslation(["backOffice", "common"]);
  const format = useFormat();
  const { state, session, lastError } = status;
  return (
    <>
      <p className="link-state">
        <StatusMark tone={toneOf[state]}>{t(`backOffice:states.${state}`)}</StatusMark>{" "}
        <span className="soft">{t("backOffice:since", { time: format.dateTime(status.since) })}</span>
      </p>
      <p>{t(`backOffice:stateMeans.${state}`)}</p>
      <Facts
        items={[
          fact(t("backOffice:server"), <span className="mono">{status.url}</span>),
          fact(t("backOffice:database"), status.database),
          fact(t("backOffice:account"), status.login ?? t("common:none")),
          fact(
            t("backOffice:session"),
            session.active ? (session.name ?? t("common:yes")) : t("backOffice:sessionClosed"),
          ),
          fact(
            t("backOffice:lastSync"),
            status.lastSyncAt === null ? t("common:never") : <Ago at={status.lastSyncAt} />,
          ),
          ...(lastError === null
            ? []
            : [
                fact(
                  t("backOffice:lastError"),
                  <>
                    {lastError.error} <span className="soft">({format.dateTime(lastError.at)})</span>
                  </>,
                ),
              ]),
        ]}
      />
    </>
  );
}

function QueueFacts({ status: { queue } }: { status: BackOfficeStatus }) {
  const { t } = useTranslation("backOffice");
  const format = useFormat();
  return (
    <>
      <p className="queue-count num">{format.number(queue.pending)}</p>
      <Facts
        items={[
          fact(t("oldest"), queue.oldestAt === null ? "–" : <Lasting since={queue.oldestAt} />),
          fact(
            t("estimate"),
            queue.estimateMs === null || queue.pending === 0 ? "–" : format.duration(queue.estimateMs),
          ),
          fact(
            t("nextAttempt"),
            queue.nextTryAt === null
              ? t("every", { duration: format.duration(queue.intervalMs) })
              : format.timeExact(queue.nextTryAt),
          ),
          fact(t("sentTotal"), format.number(queue.total)),
        ]}
      />
    </>
  );
}
