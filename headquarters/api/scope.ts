import type { Scope } from "../alerts/restaurants.ts";
import type { Caller } from "../people/sessions.ts";

/** What somebody gets to see: a region its groups, everybody else all. */
export function scopeOf({ role, groups }: Caller): Scope {
  return role === "region" ? groups : null;
}
