import { DAY_MS } from "@comanda/protocol";
import type { PointOfSale } from "../../../orders/point-of-sale.ts";
import type { Jobs } from "../../../jobs/jobs.ts";
import { businessDay, dayBounds } from "../../../time/business-day.ts";
import { salesJob } from "../../../operator/sales/sales-job.ts";
import { isoTime, isoTimeOrNull, type World } from "../../../platform/world.ts";
import { HubError } from "../../../platform/errors.ts";
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
/** A month: each check is read. */
const MOST_DAYS = 31;

/** What the session, or a day, has sold, counted in a thread of its own. */
export function operatorSalesRoutes({ world, jobs, file, timeZone, pos, ...deps }: Deps) {
  return {
    async sales({ query: { day, through }, ctx }) {
      requireDays(day, through);
      const since = day === undefined ? deps.since() : dayBounds(day, timeZone).from;
      const until = day === undefined ? NO_END : dayBounds(through ?? day, timeZone).to;
      const { taxes = [], rounding = null } = pos.config() ?? {};
      const signal = clientGone(ctx.res);
      const sold = await jobs.query(
        salesJob,
        { file, since, until, byDay: through !== undefined, timeZone, taxes, rounding },
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

/** A last day stands after a first one, and at most a month. */
function requireDays(day: string | undefined, through: string | undefined): void {
  if (through === undefined) return;
  if (day === undefined) throw new HubError("VALIDATION_ERROR", "through: there is no day that it begins with");
  const days = (Date.parse(through) - Date.parse(day)) / DAY_MS + 1;
  if (days < 1) throw new HubError("VALIDATION_ERROR", "through: is before day");
  if (days > MOST_DAYS) throw new HubError("VALIDATION_ERROR", `through: at most ${MOST_DAYS} days`);
}
