import type { BackOfficeStatus, ForwardEvent } from "@comanda/protocol";
import { BackOfficeError } from "../../back-office/client.ts";
import { HubError } from "../../platform/errors.ts";
import { readClosingReport } from "../../operator/closing-report.ts";
import type { OperatorRoom } from "../../operator/operator-room.ts";
import { presentForwardEvent, presentForwardAttempts } from "../../operator/present-forward-event.ts";
import { presentPayment } from "../../operator/present-payment.ts";
import { isHistorySearch, type EventFilter } from "../../forwarding/find-events.ts";
import { isoTime } from "../../platform/world.ts";
import { clientGone } from "../client-gone.ts";
import { readCursor } from "../cursor.ts";
import type { OperatorHandlers } from "../operator-api.ts";
import { requireNumber } from "../require-number.ts";

type Names =
  | "backOffice"
  | "tryBackOffice"
  | "forwardEvents"
  | "forwardEvent"
  | "retryForward"
  | "setAsideForward"
  | "retryAllForward"
  | "payments"
  | "settlePayment"
  | "closing";

/** Each is a new state of an order that everyone is told of: so many share a commit, and others come in between. */
const RETRIED_TOGETHER = 50;

/** What the Back-office screen reads and does. */
export function operatorBackOfficeRoutes(room: OperatorRoom): Pick<OperatorHandlers, Names> {
  const { changes, audit, config, events, forwarder, jobs, link, orders, own, pos, unappliedPayments } = room;

  function status(): BackOfficeStatus {
    const { url, db, credentials } = config.backOffice;
    const { state, since, lastSyncAt } = link.read();
    const { pending, attention, forwarded } = events.counts();
    const oldestAt = events.oldestPendingAt();
    const nextTryAt = events.nextAttemptAt();
    const session = pos.session();
    return {
      state,
      since,
      url,
      database: db,
      login: credentials?.user ?? null,
      lastSyncAt,
      lastError: lastError(state, since),
      session: { active: session?.active ?? false, name: session?.name ?? null },
      queue: {
        pending: pending - attention,
        oldestAt: oldestAt === null ? null : isoTime(oldestAt),
        estimateMs: room.drainRate.estimateMs(pending - attention),
        nextTryAt: nextTryAt === null ? null : isoTime(nextTryAt),
        intervalMs: config.forwardIntervalMs,
        attention,
        total: forwarded,
      },
    };
  }

  function lastError(state: BackOfficeStatus["state"], since: string): BackOfficeStatus["lastError"] {
    const refusal = own.refusal();
    if (refusal !== null) return { at: since, error: refusal };
    if (state === "unreachable") return { at: since, error: "the back-office cannot be reached" };
    const failure = events.lastFailure();
    return failure === null ? null : { at: isoTime(failure.at), error: failure.detail ?? "" };
  }

  function find(eventId: string) {
    const event = events.get(requireNumber(eventId, "forward event"));
    if (event === null) throw new HubError("NOT_FOUND", `there is no forward event ${eventId}`);
    return event;
  }

  async function findInHistory(filter: EventFilter, from: number | null, limit: number, signal: AbortSignal) {
    const wanted = { file: config.dbPath, filter, from, limit };
    const { ids, ...total } = await jobs.query("findForwardEvents", wanted, { signal });
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
        // That may have been a read which was under way with the session of before.
        if (!own.isSignedIn()) await pos.refresh();
        await forwarder.drainNow();
      } catch (error) {
        // How it went is what the status tells.
        if (!(error instanceof BackOfficeError)) throw error;
      }
      return status();
    },

    async forwardEvents({ query, ctx }) {
      const { state = null, search = null, limit } = query;
      const [filter, from] = [{ state, search }, readCursor(query.cursor)];
      const { rows, ...total } = isHistorySearch(filter)
        ? await findInHistory(filter, from, limit, clientGone(ctx.res))
        : { rows: events.page(filter, from, limit), ...events.count(filter) };
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return {
        events: rows.map((row) => presentForwardEvent(row, { events, orders })),
        nextCursor: last === undefined ? null : String(last.id),
        ...total,
      };
    },

    forwardEvent({ params: { eventId } }) {
      const event = present(eventId);
      return { event, attempts: presentForwardAttempts(events.attempts(Number(eventId))) };
    },

    async retryForward({ params: { eventId }, manager }) {
      const { id } = find(eventId);
      const retried = await forwarder.retry(id, (tx, posReference) =>
        audit.record(tx, manager.userName, "forward.retry", posReference),
      );
      if (!retried) throw new HubError("VALIDATION_ERROR", `forward event ${eventId} is done`);
      return { event: present(eventId) };
    },

    async setAsideForward({ params: { eventId }, body: { note }, manager }) {
      const { id, posReference } = find(eventId);
      await changes.write((tx) => {
        if (!forwarder.setAside(tx, id, note)) {
          throw new HubError("VALIDATION_ERROR", `forward event ${eventId} is done`);
        }
        audit.record(tx, manager.userName, "forward.set_aside", posReference, note);
        const detail = { posReference, userName: manager.userName, text: note };
        const feed = { kind: "forward_set_aside", level: "warn", detail } as const;
        tx.emit({ kind: "notice", notice: { topics: ["forward"], feed } });
      });
      return { event: present(eventId) };
    },

    async retryAllForward({ body: { state }, manager }) {
      const waiting = events.inState(state);
      let retried = 0;
      for (let start = 0; start < waiting.length; start += RETRIED_TOGETHER) {
        const retries = waiting
          .slice(start, start + RETRIED_TOGETHER)
          .map(({ id }) =>
            forwarder.retry(id, (tx, posReference) =>
              audit.record(tx, manager.userName, "forward.retry", posReference, `with all in ${state}`),
            ),
          );
        retried += (await Promise.all(retries)).filter(Boolean).length;
      }
      return { retried };
    },

    payments({ query: { state, cursor, limit } }) {
      const place = readCursor(cursor);
      const rows =
        state === "open"
          ? unappliedPayments.listOpen().filter((payment) => payment.id > (place ?? 0))
          : unappliedPayments.listSettled(place ?? Number.MAX_SAFE_INTEGER, limit);
      const shown = rows.slice(0, limit);
      const last = shown.length === limit ? shown.at(-1) : undefined;
      return {
        payments: shown.map((payment) => presentPayment(payment, orders)),
        nextCursor: last === undefined ? null : String(last.id),
        total: state === "open" ? unappliedPayments.countOpen() : unappliedPayments.countSettled(),
      };
    },

    async settlePayment({ params: { paymentId }, body: { note }, manager }) {
      const id = requireNumber(paymentId, "payment");
      const payment = await changes.write((tx) => {
        const known = unappliedPayments.get(id);
        if (known === null) throw new HubError("NOT_FOUND", `there is no payment ${paymentId}`);
        if (!unappliedPayments.settle(tx, id, manager.userName, note)) {
          const settledAt = isoTime(known.settledAt ?? tx.now);
          throw new HubError("CONFLICT", `payment ${paymentId} was settled before`, { settledAt });
        }
        audit.record(tx, manager.userName, "payment.settle", known.posReference, note);
        const detail = { posReference: known.posReference, userName: manager.userName, text: note };
        const feed = { kind: "payment_settled", level: "info", detail } as const;
        tx.emit({ kind: "notice", notice: { topics: ["payments"], feed } });
        return unappliedPayments.get(id) ?? known;
      });
      return { payment: presentPayment(payment, orders) };
    },

    closing: () => readClosingReport(room),
  };
}
