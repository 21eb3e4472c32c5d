import { Button } from "@mantine/core";
import type { ForwardEvent, ForwardEventState } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActionButton, type Action } from "../../components/forms/action-button.tsx";
import { BackOfficeError } from "../../components/failures/back-office-error.tsx";
import { Dialog } from "../../components/forms/dialog.tsx";
import { ErrorNotice } from "../../components/failures/error-notice.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { orderColumn } from "../../components/order-link.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { StatusMark } from "../../components/layout/status-mark.tsx";
import { Table, type Column } from "../../components/tables/table.tsx";
import { TimeAgo } from "../../components/layout/time.tsx";
import { notify } from "../../components/forms/use-act.ts";
import { callHub, useHub, useHubPages } from "../../lib/hub.ts";
import { useNow } from "../../lib/hub-time.ts";
import { SetAsideDialog } from "./set-aside-dialog.tsx";
import { BusyButton } from "../../components/forms/busy-button.tsx";

/** The paid orders in one state of forwarding to accounting, with their actions. */
export function ForwardTable({ state }: { state: ForwardEventState }) {
  const { t } = useTranslation(["backOffice", "common"]);
  const events = useHubPages("forwardEvents", { state }, (page) => page.events);
  const [shown, setShown] = useState<ForwardEvent | null>(null);
  const columns = useColumns(state, setShown);
  const [toSetAside, setAside] = useState<ForwardEvent | null>(null);
  const actionsOf = useActions(setAside);
  return (
    <Panel
      title={t(`forward.${state}.title`)}
      about={t(`forward.${state}.about`)}
      flush
      actions={
        state !== "done" &&
        events.rows.length > 1 && (
          <ActionButton
            size="xs"
            label={t("retryAll")}
            run={async () => {
              const { retried } = await callHub("retryAllForward", { body: { state } });
              notify(t("retriedAll", { count: retried }));
            }}
          />
        )
      }
    >
      {events.error !== null && <ErrorNotice error={events.error} onRetry={events.retry} />}
      {events.first !== undefined && (
        <Table
          columns={columns}
          rows={events.rows}
          rowKey={(event) => event.eventId}
          actions={state === "done" ? undefined : actionsOf}
          empty={{ title: t(`forward.${state}.emptyTitle`), children: t(`forward.${state}.empty`) }}
        />
      )}
      {events.hasMore && (
        <BusyButton variant="subtle" fullWidth onClick={events.readMore} loading={events.isReadingMore}>
          {t("common:more")}
        </BusyButton>
      )}
      {toSetAside !== null && <SetAsideDialog event={toSetAside} onClose={() => setAside(null)} />}
      {shown !== null && <AttemptsDialog event={shown} onClose={() => setShown(null)} />}
    </Panel>
  );
}

function useColumns(state: ForwardEventState, onShow: (event: ForwardEvent) => void): Column<ForwardEvent>[] {
  const { t, format } = useTranslation(["backOffice", "common"]);
  const now = useNow();
  const columns: Column<ForwardEvent>[] = [
    orderColumn(t("common:order")),
    {
      header: t("common:amount"),
      numeric: true,
      cell: (event) => (event.total === null ? "–" : format.money(event.total)),
    },
    {
      header: t(state === "done" ? "confirmed" : "paidAt"),
      cell: (event) => <TimeAgo at={event.forwardedAt ?? event.createdAt} />,
    },
    {
      header: t("common:attempts"),
      align: "right",
      cell: (event) => (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => onShow(event)}
          aria-label={`${event.attempts}: ${t("showAttempts")} (${event.posReference})`}
        >
          {event.attempts}
        </Button>
      ),
    },
  ];
  if (state === "done") return columns;
  return [
    ...columns,
    {
      header: t("answer"),
      isLong: true,
      cell: (event) => (
        <>
          {event.error === null ? "–" : <BackOfficeError error={event.error} errorCode={event.errorCode} />}
          {event.setAsideUntil !== null && (
            <StatusMark tone="idle">
              {t("setAsideTill", { when: format.upcoming(event.setAsideUntil, now) })}
            </StatusMark>
          )}
          {event.note !== null && (
            <div className="soft">
              {t("common:note")}: {event.note}
            </div>
          )}
        </>
      ),
    },
  ];
}

function useActions(onSetAside: (event: ForwardEvent) => void): (event: ForwardEvent) => Action[] {
  const { t } = useTranslation("backOffice");
  return (event) => {
    const { eventId, posReference: reference } = event;
    return [
      {
        label: t("retry"),
        name: t("retryOf", { reference }),
        run: () => callHub("retryForward", { params: { eventId } }),
        done: t("retried", { reference }),
      },
      {
        label: t("setAside"),
        name: t("setAsideOf", { reference }),
        run: () => Promise.resolve(onSetAside(event)),
      },
    ];
  };
}

const toneOf = { finalized: "good", duplicate: "good", failed: "bad", unreachable: "warn" } as const;

/** Every attempt at one event, with its result. */
function AttemptsDialog({ event, onClose }: { event: ForwardEvent; onClose: () => void }) {
  const { t, format } = useTranslation("backOffice");
  const detail = useHub("forwardEvent", { params: { eventId: event.eventId } });
  return (
    <Dialog size="lg" title={t("attemptsOf", { reference: event.posReference })} onClose={onClose}>
      <Loaded query={detail}>
        {({ attempts }) =>
          attempts.length === 0 ? (
            <p className="no-margin">{t("noAttempts")}</p>
          ) : (
            <ol className="plain-list divided">
              {attempts.toReversed().map((attempt) => (
                <li key={attempt.attempt}>
                  <div className="spread">
                    <span className="num">{format.dateTime(attempt.at)}</span>
                    <StatusMark tone={toneOf[attempt.outcome]}>{t(`outcome.${attempt.outcome}`)}</StatusMark>
                    <span className="soft num">{format.duration(attempt.durationMs)}</span>
                  </div>
                  {attempt.error !== null && <BackOfficeError error={attempt.error} errorCode={attempt.errorCode} />}
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </Dialog>
  );
}
