import type { Readable } from "node:stream";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { streamJob } from "../../jobs/stream-job.ts";
import { HubError } from "../../platform/errors.ts";
import { createLane, LaneBusy } from "../../platform/lane.ts";
import type { World } from "../../platform/world.ts";
import type { OrderStore } from "../store/order-store.ts";
import { listOrdersJob } from "./list-orders-job.ts";
import type { OrderHead } from "../store/order-heads.ts";
import { presentSummary } from "./present-order.ts";
import type { OnDamage } from "../store/stored-body.ts";

export type OrderList = ReturnType<typeof createOrderList>;

/** How many orders are summarized before other work gets its turn. */
const SLICE = 100;
/**
 * How many whole lists are read at a time, how many of them for one key, and how many wait: about as many as there are
 * connections, for within its budget a key is refused by the length of its wait alone.
 */
const WHOLE_LISTS = { atOnce: 2, perPeer: 1, waiting: 1_000 };

/** The list of orders as serialized JSON, `{orders: […]}` of one moment, newest activity first. */
export function createOrderList(deps: {
  world: World;
  changes: ChangeLog;
  orders: OrderStore;
  jobs: Jobs;
  /** The data file. */
  file: string;
  onDamage: OnDamage;
}) {
  const { world, changes, orders, jobs, file, onDamage } = deps;
  const lane = createLane(world, WHOLE_LISTS);
  /**
   * The summaries of the last list, so that each version is read and validated once: a list of 60 orders costs 0.2 ms
   * instead of 3 ms.
   */
  let kept = new Map<string, { version: number; text: string }>();

  /** Null for an order that cannot be shown: the others are listed all the same. */
  function textOf({ posReference, version }: OrderHead): string | null {
    const order = orders.shownVersion(posReference, version);
    return order === null ? null : JSON.stringify(presentSummary(order));
  }

  /** Sends a whole list; resolves when it was sent or the client has gone. */
  async function send(begin: (list: Readable) => void): Promise<void> {
    await changes.settled();
    const list = streamJob(jobs, listOrdersJob, { file });
    begin(await list.begun);
    const { damage } = (await list.ended) ?? { damage: null };
    if (damage !== null) onDamage(damage.what);
  }

  return {
    /** Active orders; costs what changed since they were last listed. */
    async active(): Promise<string> {
      // At that very moment: what is written meanwhile may be undone, and its version given again.
      const heads = await changes.read(orders.activeHeads);
      const listed: typeof kept = new Map();
      let read = 0;
      for (const head of heads) {
        const { posReference, version } = head;
        const known = kept.get(posReference);
        const isKnown = known?.version === version;
        const text = isKnown ? known.text : textOf(head);
        if (text !== null) listed.set(posReference, { version, text });
        if (!isKnown) read += 1;
        if (read < SLICE) continue;
        read = 0;
        await new Promise<void>((resolve) => world.timers.setImmediate(resolve));
      }
      kept = listed;
      return `{"orders":[${[...listed.values()].map(({ text }) => text).join(",")}]}`;
    },

    /**
     * Every order there is, read by a job and sent piece by piece. Waits while others read theirs; throws
     * RATE_LIMITED when the turn of `holder` does not come.
     */
    all(holder: string): Promise<Readable> {
      return new Promise((resolve, reject) => {
        lane
          .run(holder, () => send(resolve))
          .catch((error: unknown) => reject(error instanceof LaneBusy ? tooManyLists() : error));
      });
    },
  };
}

function tooManyLists(): HubError {
  return new HubError(
    "RATE_LIMITED",
    "other lists of all orders are being read: try again later, or list the active ones",
  );
}
