import { sentence, SET_ASIDE_MAX_MS, type BackOfficeStatus, type ForwardEvent } from "@comanda/protocol";
import type { OwnSession } from "../../../back-office/own-session.ts";
import type { PosState } from "../../../back-office/pos-state.ts";
import type { Forwarder } from "../../../forwarding/forwarder.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import type { BackOfficeStatusView } from "../../../operator/back-office/back-office-status.ts";
import type { DrainRate } from "../../../operator/back-office/drain-rate.ts";
import type { HubConfig } from "../../../settings/config.ts";
import { BackOfficeError } from "../../../back-office/back-office-error.ts";
import { type EventFilter, findForwardEventsJob, isHistorySearch } from "../../../forwarding/find-events.ts";
import { presentForwardAttempts, presentForwardEvent } from "../../../operator/back-office/present-forward-event.ts";
import { explainedError, requireFound } from "../../../platform/errors.ts";
import { isoTime, isoTimeOrNull } from "../../../platform/world.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import { abortOnClose } from "../../abort-on-close.ts";
import { nextCursor, readCursor, requireNumber } from "../../cursor.ts";
import type { OperatorHandlers } from "../../handlers.ts";

/** Retries per commit. Every retry is announced to all terminals, and other work runs between the commits. */
const RETRY_BATCH = 50;

/** The audit log's note on an event that was retried with all others. */
const WITH_ALL = { pending: sentence("note_with_all_waiting"), attention: sentence("note_with_all_refused") };

interface Deps extends Pick<Stores, "changes" | "orders" | "audit" | "events"> {
  config: HubConfig;
  forwarder: Forwarder;
  jobs: Jobs;
  backOfficeStatus: BackOfficeStatusView;
  drainRate: DrainRate;
  own: OwnSession;
  pos: PosState;
}

/** Routes for the connection to the back-office and its forward queue. */
export function operatorBackOfficeRoutes(deps: Deps) {
  const { config, changes, audit, events, forwarder, jobs, orders, own, pos } = deps;

  const status = (): BackOfficeStatus => presentStatus(deps);

  const find = (eventId: string) =>
    requireFound(events.get(requireNumber(eventId, "forward event")), `there is no forward event ${eventId}`);

  async function findInHistory(filter: EventFilter, from: number | null, limit: number, signal: AbortSignal) {
    const query = { file: config.dbPath, filter, from, limit };
    const { ids, ...total } = await jobs.query(findForwardEventsJob, query, { signal });
    return { rows: ids.flatMap((id) => events.get(id) ?? []), ...total };
  }

  const present = (eventId: string): ForwardEvent => presentForwardEvent(find(eventId), { events, orders });

  return {
    backOffice: status,

    async tryBackOffice({ manager }) {
      await changes.write((tx) => audit.record(tx, manager.userName, "back_office.try", config.backOffice.url));
      if (!own.hasCredentials) return status();
      own.forget();
      try {
        await pos.refresh();
        await forwarder.drainNow();
        // The read may have used the previous session, or another request may have dropped the new one. Retried twice, because
        // a read joined in progress may have begun with the previous session too.
        for (let times = 0; times < 2 && !own.isSignedIn(); times += 1) await pos.refresh();
      } catch (error) {
        // The status shows the failure.
        if (!(error instanceof BackOfficeError)) throw error;
      }
      return status();
    },

    async forwardEvents({ query, ctx }) {
      const { state = null, search = null, limit } = query;
      const [filter, from] = [{ state, search }, readCursor(query.cursor)];
      const { rows, ...total } = isHistorySearch(filter)
        ? await findInHistory(filter, from, limit, abortOnClose(ctx.res))
        : { rows: events.page(filter, from, limit), ...events.count(filter) };
      return {
        events: rows.map((row) => presentForwardEvent(row, { events, orders })),
        nextCursor: nextCursor(rows, limit, (row) => row.id),
        ...total,
      };
    },

    forwardEvent({ params: { eventId } }) {
      const event = present(eventId);
      return { event, attempts: presentForwardAttempts(events.listAttempts(Number(eventId))) };
    },

    async retryForward({ params: { eventId }, manager }) {
      const { id } = find(eventId);
      const retried = await forwarder.retry(id, (tx, posReference) =>
        audit.record(tx, manager.userName, "forward.retry", posReference),
      );
      if (!retried) throw explainedError("VALIDATION_ERROR", "forward_done", { id: eventId });
      return { event: present(eventId) };
    },

    async setAsideForward({ params: { eventId }, body: { note, until }, manager }) {
      const { id, posReference } = find(eventId);
      const returnAt = until === undefined ? null : Date.parse(until);
      await changes.write((tx) => {
        if (returnAt !== null && (returnAt <= tx.now || returnAt > tx.now + SET_ASIDE_MAX_MS)) {
          throw explainedError("VALIDATION_ERROR", "set_aside_until");
        }
        if (!forwarder.setAside(tx, id, note, returnAt)) {
          throw explainedError("VALIDATION_ERROR", "forward_done", { id: eventId });
        }
        audit.record(tx, manager.userName, "forward.set_aside", posReference, note);
        const detail = { posReference, userName: manager.userName, text: note };
        tx.notify(["forward"], { kind: "forward_set_aside", level: "warn", detail });
      });
      return { event: present(eventId) };
    },

    async retryAllForward({ body: { state }, manager }) {
      const waiting = events.listByState(state);
      let retried = 0;
      for (let start = 0; start < waiting.length; start += RETRY_BATCH) {
        const retries = waiting
          .slice(start, start + RETRY_BATCH)
          .map(({ id }) =>
            forwarder.retry(id, (tx, posReference) =>
              audit.record(tx, manager.userName, "forward.retry", posReference, WITH_ALL[state]),
            ),
          );
        retried += (await Promise.all(retries)).filter(Boolean).length;
      }
      return { retried };
    },
  } satisfies Partial<OperatorHandlers>;
}

function presentStatus({ config, backOfficeStatus, drainRate, events, own, pos }: Deps): BackOfficeStatus {
  const { url, db, credentials } = config.backOffice;
  const { state, since, lastSyncAt } = backOfficeStatus.read();
  const counts = events.counts();
  const { pending, attention, held, forwarded } = counts;
  const session = pos.session();
  return {
    state,
    since,
    url,
    database: db,
    login: credentials?.user ?? null,
    lastSyncAt,
    lastError: lastError({ events, own }, state, since),
    session: { active: session?.active ?? false, name: session?.name ?? null },
    queue: {
      pending: pending - attention,
      oldestAt: isoTimeOrNull(events.oldestPendingAt()),
      estimateMs: drainRate.estimateMs(counts),
      waitingForNumber: held,
      nextTryAt: isoTimeOrNull(events.nextAttemptAt()),
      intervalMs: config.forwardIntervalMs,
      attention,
      total: forwarded,
    },
  };
}

function lastError(
  { events, own }: Pick<Deps, "events" | "own">,
  state: BackOfficeStatus["state"],
  since: string,
): BackOfficeStatus["lastError"] {
  const refusal = own.refusal();
  if (refusal !== null) return { at: since, error: refusal };
  if (state === "unreachable") return { at: since, error: sentence("back_office_unreachable") };
  const failure = events.lastFailure();
  return failure === null ? null : { at: isoTime(failure.at), error: failure.detail };
}
