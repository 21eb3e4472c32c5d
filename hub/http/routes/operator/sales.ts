import { DAY_MS } from "@comanda/protocol";
import type { PointOfSale } from "../../../orders/point-of-sale.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { businessDay, dayBounds } from "../../../time/business-day.ts";
import type { SessionTotals } from "../../../operator/back-office/session-totals.ts";
import { salesJob } from "../../../operator/sales/sales-job.ts";
import { isoTime, isoTimeOrNull, type World } from "../../../platform/world.ts";
import { HubError } from "../../../platform/errors.ts";
import type { OperatorHandlers } from "../../handlers.ts";
import { abortOnClose } from "../../abort-on-close.ts";

interface Deps {
  world: World;
  jobs: Pick<Jobs, "query">;
  file: string;
  timeZone: string;
  pos: Pick<PointOfSale, "session" | "config">;
  totals: Pick<SessionTotals, "session" | "since">;
  /** Since when takings are kept, ms since 1970; null if none were removed yet. */
  keptSince(): number | null;
}

/** End of a session that is still open. */
const NO_END = Number.MAX_SAFE_INTEGER;
/** A month, because each check is read. */
const MAX_DAYS = 31;

/** Routes for the sales of the session or of days, counted on a worker thread. */
export function operatorSalesRoutes({ world, jobs, file, timeZone, pos, ...deps }: Deps) {
  return {
    async sales({ query: { day, through }, ctx }) {
      requireDays(day, through);
      const since = day === undefined ? deps.totals.since() : dayBounds(day, timeZone).from;
      const until = day === undefined ? NO_END : dayBounds(through ?? day, timeZone).to;
      const { taxes = [], rounding = null } = pos.config() ?? {};
      const signal = abortOnClose(ctx.res);
      const sold = await jobs.query(
        salesJob,
        {
          file,
          since,
          until,
          session: day === undefined ? deps.totals.session() : null,
          byDay: through !== undefined,
          timeZone,
          taxes,
          rounding,
        },
        { signal },
      );
      const session = pos.session();
      const now = world.clock.now();
      return {
        since: isoTime(since),
        until: until === NO_END ? null : isoTime(until),
        day: day ?? null,
        through: through ?? null,
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

/** Throws VALIDATION_ERROR unless `through` is on or after `day` and spans at most a month. */
function requireDays(day: string | undefined, through: string | undefined): void {
  if (through === undefined) return;
  if (day === undefined) throw new HubError("VALIDATION_ERROR", "through: needs day, the first day of the period");
  const days = (Date.parse(through) - Date.parse(day)) / DAY_MS + 1;
  if (days < 1) throw new HubError("VALIDATION_ERROR", "through: is before day");
  if (days > MAX_DAYS) throw new HubError("VALIDATION_ERROR", `through: at most ${MAX_DAYS} days`);
}
