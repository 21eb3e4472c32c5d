import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { ForwardEvent, ForwardEventState } from "@comanda/protocol";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Ago } from "../../../components/age.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { Empty } from "../../../components/empty.tsx";
import { ErrorNotice } from "../../../components/error-notice.tsx";
import { Panel } from "../../../components/panel.tsx";
import { useAct } from "../../../components/use-act.ts";
import { hubKey } from "../../../lib/hub-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useForwardEvents } from "../api/forward-events.ts";
import { retryAllForward } from "../api/retry-all-forward.ts";
import { retryForward } from "../api/retry-forward.ts";
import { setAsideForward } from "../api/set-aside-forward.ts";
import { EventAttempts } from "./event-tries.tsx";

interface EventTableProps {
  state: ForwardEventState;
  title: string;
  about: string;
  emptyTitle: string;
  empty: string;
}

/** The events of one state with what can be done about them. */
export function EventTable({ state, title, about, emptyTitle, empty }: EventTableProps) {
  const { t } = useTranslation(["backOffice", "common"]);
  const queries = useQueryClient();
  const events = useForwardEvents(state);
  const { busy, act } = useAct();
  const rows = events.data?.pages.flatMap((page) => page.events) ?? [];
  const readAgain = () => queries.invalidateQueries({ queryKey: hubKey("forwardEvents") });
  return (
    <Panel
      title={title}
      about={about}
      flush
      actions={
        state !== "done" &&
        rows.length > 1 && (
          <Button
            size="xs"
            variant="default"
            loading={busy}
            onClick={() =>
              void act(async () => {
                const { retried } = await retryAllForward(state);
                notifications.show({ message: t("backOffice:retriedAll", { count: retried }), color: "petrol" });
                await readAgain();
              })
            }
          >
            {t("backOffice:retryAll")}
          </Button>
        )
      }
    >
      {events.error !== null && <ErrorNotice error={events.error} onRetry={() => void events.refetch()} />}
      {events.data !== undefined && rows.length === 0 && <Empty title={emptyTitle}>{empty}</Empty>}
      {rows.length > 0 && <Rows state={state} rows={rows} onDone={readAgain} />}
      {events.hasNextPage && (
        <Button
          variant="subtle"
          fullWidth
          onClick={() => void events.fetchNextPage()}
          loading={events.isFetchingNextPage}
        >
          {t("common:more")}
        </Button>
      )}
    </Panel>
  );
}

interface RowsProps {
  state: ForwardEventState;
  rows: readonly ForwardEvent[];
  onDone: () => Promise<void>;
}

function Rows({ state, rows, onDone }: RowsProps) {
  const { t } = useTranslation("backOffice");
  const [aside, setAside] = useState<ForwardEvent | null>(null);
  const [shown, setShown] = useState<ForwardEvent | null>(null);
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t("order")}</th>
            <th scope="col" className="right">
              {t("amount")}
            </th>
            <th scope="col">{t(state === "done" ? "confirmed" : "paidAt")}</th>
            <th scope="col" className="right">
              {t("tries")}
            </th>
            {state !== "done" && <th scope="col">{t("words")}</th>}
            <th scope="col">
              <span className="visually-hidden">{t("actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((event) => (
            <Row
              key={event.eventId}
              event={event}
              onDone={onDone}
              onAside={() => setAside(event)}
              onShow={() => setShown(event)}
            />
          ))}
        </tbody>
      </table>
      {aside !== null && (
        <Confirm
          open
          onClose={() => setAside(null)}
          title={t("setAsideTitle", { reference: aside.posReference })}
          action={t("setAside")}
          note={{ label: t("setAsideNote") }}
          run={async (note) => {
            await setAsideForward(aside.eventId, note);
            await onDone();
          }}
        >
          {t("setAsideBody")}
        </Confirm>
      )}
      {shown !== null && <EventAttempts event={shown} onClose={() => setShown(null)} />}
    </div>
  );
}

interface RowProps {
  event: ForwardEvent;
  onDone: () => Promise<void>;
  onAside: () => void;
  onShow: () => void;
}

function Row({ event, onDone, onAside, onShow }: RowProps) {
  const { t } = useTranslation("backOffice");
  const format = useFormat();
  const { busy, act } = useAct();
  const reference = event.posReference;
  return (
    <tr>
      <td>
        <Link href={`/orders/${encodeURIComponent(reference)}`}>{reference}</Link>
      </td>
      <td className="right num">{event.total === null ? "–" : format.money(event.total)}</td>
      <td>
        <Ago at={event.forwardedAt ?? event.createdAt} />
      </td>
      <td className="right">
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={onShow}
          aria-label={`${event.attempts}: ${t("showAttempts")} (${reference})`}
        >
          {event.attempts}
        </Button>
      </td>
      {event.state !== "done" && (
        <td>
          <div className="their-words">{event.error ?? "–"}</div>
          {event.note !== null && (
            <div className="soft">
              {t("note")}: {event.note}
            </div>
          )}
        </td>
      )}
      <td>
        {event.state !== "done" && (
          <div className="button-row">
            <Button
              size="xs"
              variant="default"
              loading={busy}
              aria-label={t("retryOf", { reference })}
              onClick={() =>
                void act(
                  async () => {
                    await retryForward(event.eventId);
                    await onDone();
                  },
                  t("retried", { reference }),
                )
              }
            >
              {t("retry")}
            </Button>
            {event.state === "pending" && (
              <Button size="xs" variant="default" onClick={onAside} aria-label={t("setAsideOf", { reference })}>
                {t("setAside")}
              </Button>
            )}
          </div>
        )}
      </td>
    </tr>
  );
}
