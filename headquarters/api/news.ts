import type { ServerResponse } from "node:http";
import type { HqNews } from "@comanda/protocol/headquarters.ts";
import { LATE_MS, OFFLINE_MS } from "../presence/presence-of.ts";
import type { Database } from "../db/database.ts";
import { createFailureLog } from "../failure-log.ts";
import { expiryCutoff } from "../proposals/document-store.ts";
import type { World } from "../world.ts";

type Topic = HqNews["changed"][number];

/** How often the database is polled while a client listens. Each poll sends at most one event. */
const EVERY_MS = 1_000;
/** How often an event without news is sent, so that proxies keep the stream open and pages notice a dead one. */
const KEEP_ALIVE_MS = 15_000;

export type News = ReturnType<typeof createNews>;

/**
 * Tells the screens which topics to read again. Changes from restaurants are found by polling the database once a second for
 * all listeners, whichever process wrote them. `notify` announces changes that people make here.
 */
export function createNews({ database, world }: { database: Database; world: World }) {
  const listeners = new Set<ServerResponse>();
  const pending = new Set<Topic>();
  let lastMarks: Record<Topic, string> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let quietMs = 0;
  const failures = createFailureLog(world.log, {
    fails: "the database cannot be looked at for news; it is tried again",
    worksAgain: "the database is looked at for news again",
  });

  async function poll(): Promise<void> {
    timer = undefined;
    try {
      const now = await readMarks(database, world.now());
      for (const topic of Object.keys(now) as Topic[]) {
        if (lastMarks !== null && lastMarks[topic] !== now[topic]) pending.add(topic);
      }
      lastMarks = now;
      failures.worked();
    } catch (error) {
      failures.failed(error);
    }
    quietMs += EVERY_MS;
    if (pending.size > 0) write(`data: ${JSON.stringify({ changed: [...pending] } satisfies HqNews)}\n\n`);
    else if (quietMs >= KEEP_ALIVE_MS) write("event: alive\ndata: {}\n\n");
    pending.clear();
    if (listeners.size > 0) timer ??= setTimeout(() => void poll(), EVERY_MS);
    else lastMarks = null;
  }

  function write(text: string): void {
    quietMs = 0;
    for (const listener of listeners) listener.write(text);
  }

  return {
    notify(topic: Topic): void {
      if (listeners.size > 0) pending.add(topic);
    },
    /**
     * Streams events to a response until it closes. No change after the first event is missed. Throws before it has answered
     * if the database cannot be read.
     */
    async addListener(response: ServerResponse): Promise<void> {
      const marks = await readMarks(database, world.now());
      lastMarks ??= marks;
      if (response.closed) return;
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
      timer ??= setTimeout(() => void poll(), EVERY_MS);
      response.write(`retry: 2000\ndata: ${JSON.stringify({ changed: [] } satisfies HqNews)}\n\n`);
    },
    stop(): void {
      clearTimeout(timer);
      for (const listener of listeners) listener.end();
      listeners.clear();
    },
  };
}

/** Reads a mark for each topic that changes whenever an answer on that topic does. */
async function readMarks({ query }: Database, now: number): Promise<Record<Topic, string>> {
  const [row] = await query<Record<"beats" | "cursors" | "alerts" | "proposals", string>>(
    `SELECT
       (SELECT concat_ws(' ', max(heard_at), count(*) FILTER (WHERE heard_at <= $1),
          count(*) FILTER (WHERE heard_at <= $2)) FROM beats) AS beats,
       (SELECT concat_ws(' ', max(updated_at), count(*)) FROM cursors) AS cursors,
       (SELECT concat_ws(' ', count(*), count(taken_by), (SELECT max(id) FROM alerts)) FROM alerts
        WHERE cleared_at IS NULL) AS alerts,
       (SELECT concat_ws(' ', count(*), max(place), count(withdrawn_at), count(*) FILTER (WHERE until_at <= $3),
          (SELECT max(written_at) FROM proposal_states),
          (SELECT count(*) FROM beats WHERE heard_at <= $2)) FROM proposals) AS proposals`,
    [new Date(now - LATE_MS), new Date(now - OFFLINE_MS), expiryCutoff(now)],
  );
  const { beats = "", cursors = "", alerts = "", proposals = "" } = row ?? {};
  return { now: [beats, cursors, alerts].join("|"), sales: cursors, alerts, proposals };
}
