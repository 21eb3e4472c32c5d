import type { Scope } from "../alerts/restaurants.ts";
import type { Caller } from "../people/sessions.ts";

/** Returns what a caller may see: a region its groups, every other role all restaurants. */
export function scopeOf({ role, groups }: Caller): Scope {
  return role === "region" ? groups : null;
}
