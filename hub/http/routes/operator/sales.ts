import type { PointOfSale } from "../../../orders/point-of-sale.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { businessDay, dayBounds } from "../../../time/business-day.ts";
import { salesJob } from "../../../operator/sales/sales-job.ts";
import { isoTime, isoTimeOrNull, type World } from "../../../platform/world.ts";
import type { OperatorHandlers } from "../../handlers.ts";
import { clientGone } from "../../client-gone.ts";

interface Deps {
  world: World;
  jobs: Pick<Jobs, "query">;
  file: string;
  timeZone: string;
  pos: Pick<PointOfSale, "session" | "config">;
  /** When the session began that is counted, ms since 1970. */
  since(): number;
  /** From when on takings are kept, ms since 1970; null where none were removed yet. */
  keptSince(): number | null;
}

/** The session has no end yet. */
const NO_END = Number.MAX_SAFE_INTEGER;

/** What the session, or a day, has sold, counted in a thread of its own. */
export function operatorSalesRoutes({ world, jobs, file, timeZone, pos, ...deps }: Deps) {
  return {
    async sales({ query: { day }, ctx }) {
      const { from: since, to: until } =
        day === undefined ? { from: deps.since(), to: NO_END } : dayBounds(day, timeZone);
      const { taxes = [], rounding = null } = pos.config() ?? {};
      const signal = clientGone(ctx.res);
      const sold = await jobs.query(salesJob, { file, since, until, timeZone, taxes, rounding }, { signal });
      const session = pos.session();
      const now = world.clock.now();
      return {
        since: isoTime(since),
        until: until === NO_END ? null : isoTime(until),
        day: day ?? null,
        today: businessDay(now, timeZone),
        keptSince: isoTimeOrNull(deps.keptSince()),
        session: session?.active === true ? { name: session.name ?? null } : null,
        asOf: isoTime(now),
        timeZone,
        ...sold,
      };
    },
  } satisfies Partial<OperatorHandlers>;
}
