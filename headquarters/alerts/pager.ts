import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import type { Database } from "../db/database.ts";
import { createLoop } from "../loop.ts";
import type { World } from "../world.ts";
import { unsentPages } from "./alert-store.ts";

const EVERY_MS = 3_000;
const MAX_PAUSE_MS = 300_000;
const ANSWER_MS = 10_000;
/** HTTP statuses that reject the content of a post, not its sender or rate. */
const refusesContent: ReadonlySet<number> = new Set([400, 409, 413, 415, 422]);

/** The posted body: the alert, and `text` for services that show a single line. */
export interface Page extends HqAlert {
  chainName: string;
  text: string;
}

/**
 * Posts each alert of severity `page` to `url`, and again when it is over. Retries until `url` answers 200 to 299. Stores the
 * result after the answer: if the program is killed in between, it posts the alert twice.
 */
export function createPager(
  {
    database,
    url,
    chainName,
    everyMs = EVERY_MS,
  }: { database: Database; url: string; chainName: string; everyMs?: number },
  { log, now }: World,
) {
  const stopping = new AbortController();
  let failures = 0;
  /** Alerts whose content the service refused, and when to retry them (ms since 1970). They do not delay the rest. */
  const refused = new Map<string, number>();

  async function sendPages(): Promise<void> {
    for (const alert of await unsentPages(database)) {
      if ((refused.get(alert.id) ?? 0) > now()) continue;
      const subject = `${alert.restaurantName ?? alert.group ?? chainName}: ${alert.kind}`;
      const page: Page = { ...alert, chainName, text: alert.clearedAt === null ? subject : `${subject} (ended)` };
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(page),
        redirect: "error",
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      await answer.body?.cancel();
      if (refusesContent.has(answer.status)) {
        log.error({ alert: page.text, status: answer.status }, "the service for alerts refused one of them");
        refused.set(alert.id, now() + MAX_PAUSE_MS);
        continue;
      }
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      const state = alert.clearedAt === null ? "open" : "over";
      await database.query("UPDATE alerts SET told = $2 WHERE id = $1", [Number(alert.id), state]);
      if (failures > 0) log.info("alerts can be sent again");
      failures = 0;
    }
  }

  /** Resolves with the ms until the next turn. */
  async function turn(): Promise<number> {
    try {
      await sendPages();
      // Nothing is left to send: earlier failures must not delay the next alert.
      failures = 0;
    } catch (error) {
      if (failures === 0 && !stopping.signal.aborted) {
        log.error({ err: error }, "an alert could not be sent; it is tried again");
      }
      failures += 1;
    }
    return Math.min(everyMs * 2 ** failures, MAX_PAUSE_MS);
  }

  const loop = createLoop(turn);
  return {
    start: loop.start,
    async stop(): Promise<void> {
      stopping.abort();
      await loop.stop();
    },
  };
}
