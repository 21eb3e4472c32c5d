import { DAY_MS, type Learned } from "@comanda/protocol";
import { JobCancelled, type Jobs } from "../jobs/jobs.ts";
import { isoTime, type World } from "../platform/world.ts";
import { businessDay, dayBounds } from "../time/business-day.ts";
import type { TrustedTime } from "../time/trusted-time.ts";
import { learnJob } from "./learn-job.ts";

export type LearnedService = ReturnType<typeof createLearnedService>;

const PERIOD_MS = 28 * DAY_MS;

/** Computes statistics from the restaurant's history, in a worker thread on the business day's first request. */
export function createLearnedService(deps: {
  world: World;
  time: Pick<TrustedTime, "latest">;
  jobs: Pick<Jobs, "run">;
  file: string;
  timeZone: string;
}) {
  const { world, time, jobs, file, timeZone } = deps;
  let latest: Learned = { timeZone, hours: [], people: [], dishTimes: [], asOf: null };
  let counting: Promise<void> | null = null;

  async function count(now: number): Promise<void> {
    try {
      latest = {
        timeZone,
        ...(await jobs.run(learnJob, { file, timeZone, since: now - PERIOD_MS, now })),
        asOf: isoTime(now),
      };
    } catch (error) {
      if (!(error instanceof JobCancelled))
        world.log.error({ err: error }, "what the sales teach could not be counted");
    } finally {
      counting = null;
    }
  }

  return {
    /** Returns the statistics as of the start of this business day, or the previous ones if computing them fails. */
    async get(): Promise<Learned> {
      const now = dayBounds(businessDay(time.latest(), timeZone), timeZone).from;
      if (latest.asOf !== isoTime(now)) await (counting ??= count(now));
      return latest;
    },
  };
}
