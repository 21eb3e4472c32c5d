import type { BackOfficeLink, BackOfficeStatus } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "@comanda/ui/translation.ts";
import { BackOfficeError } from "../../components/failures/back-office-error.tsx";
import { Link } from "wouter";
import { ErrorNotice } from "../../components/failures/error-notice.tsx";
import { fact, Facts } from "../../components/layout/facts.tsx";
import { Loaded, LoadedPanel } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark, type Tone } from "../../components/layout/status-mark.tsx";
import { Elapsed, TimeAgo } from "../../components/layout/time.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { callHub, useHub } from "../../lib/hub.ts";
import { useNow } from "../../lib/hub-time.ts";
import { BusyButton } from "../../components/forms/busy-button.tsx";

const toneOf: Record<BackOfficeLink, Tone> = {
  reachable: "good",
  unreachable: "warn",
  refused: "bad",
  signed_out: "warn",
  not_configured: "warn",
};

/** The state of the connection to the back-office, what it means for service, and the queue. */
export function LinkPanels() {
  const { t } = useTranslation("backOffice");
  const status = useHub("backOffice");
  const attempt = useMutation({
    mutationFn: () => callHub("tryBackOffice"),
    onSuccess: ({ state }) => notify(t("attempted", { state: t(`states.${state}`) })),
  });
  return (
    <div className="panel-grid">
      <Panel
        title={t("link")}
        actions={
          <BusyButton size="xs" variant="default" loading={attempt.isPending} onClick={() => attempt.mutate()}>
            {t("tryNow")}
          </BusyButton>
        }
      >
        {attempt.error !== null && <ErrorNotice error={attempt.error} />}
        <Loaded query={status}>{(data) => <LinkFacts status={data} />}</Loaded>
      </Panel>
      <LoadedPanel title={t("queue")} about={t("forward.pending.about")} query={status}>
        {({ queue }) => <QueueFacts queue={queue} />}
      </LoadedPanel>
    </div>
  );
}

function LinkFacts({ status }: { status: BackOfficeStatus }) {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const { state, session, lastError } = status;
  const wasReached = useHub("overview").data?.backOffice.everReached ?? true;
  return (
    <>
      <p className="link-state">
        <StatusMark tone={toneOf[state]}>{t(`states.${state}`)}</StatusMark>{" "}
        <span className="soft">{t("since", { time: format.dateTime(status.since) })}</span>
      </p>
      <p>{t(state === "unreachable" && !wasReached ? "neverReached" : `stateMeans.${state}`)}</p>
      <Facts
        items={[
          fact(t("server"), <span className="mono">{status.url}</span>),
          fact(t("common:database"), status.database),
          fact(t("account"), status.login ?? t("common:none")),
          fact(t("session"), session.active ? (session.name ?? t("common:yes")) : t("sessionClosed")),
          fact(t("lastSync"), status.lastSyncAt === null ? t("common:never") : <TimeAgo at={status.lastSyncAt} />),
          lastError !== null &&
            fact(
              t("lastError"),
              <>
                <BackOfficeError error={lastError.error} />
                <span className="soft">{format.dateTime(lastError.at)}</span>
              </>,
            ),
        ]}
      />
    </>
  );
}

function QueueFacts({ queue }: Pick<BackOfficeStatus, "queue">) {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const now = useNow();
  const { oldestAt, estimateMs, nextTryAt, attention, waitingForNumber } = queue;
  const interval = t("every", { duration: format.duration(queue.intervalMs) });
  return (
    <>
      <p className="big-number num">{format.number(queue.pending)}</p>
      <Facts
        items={[
          fact(t("oldest"), oldestAt === null ? "–" : <Elapsed since={oldestAt} />),
          fact(t("estimate"), estimateMs === null || queue.pending === 0 ? "–" : format.duration(estimateMs)),
          fact(t("nextAttempt"), nextTryAt === null ? interval : format.when(nextTryAt, now)),
          waitingForNumber > 0 &&
            fact(
              t("waitingForNumber"),
              <Link href="/back-office/fiscal">{t("waitingForNumberCount", { count: waitingForNumber })}</Link>,
            ),
          attention > 0 &&
            fact(
              t("apart"),
              <Link href="/back-office/attention">{t("common:needAttention", { count: attention })}</Link>,
            ),
          fact(t("sentTotal"), format.number(queue.total)),
        ]}
      />
    </>
  );
}
