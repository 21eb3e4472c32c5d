import type { z } from "zod";

/** One line that names things wrong with an input, unknown keys first: their place and what was expected there. */
export function describeIssues(error: z.ZodError): string {
  const isUnknownKey = (issue: z.core.$ZodIssue): boolean => issue.code === "unrecognized_keys";
  const ordered = [...error.issues.filter(isUnknownKey), ...error.issues.filter((issue) => !isUnknownKey(issue))];
  const told = ordered.slice(0, 5).map((issue) => {
    const place = issue.path.map(String).join(".");
    return place === "" ? issue.message : `${place}: ${issue.message}`;
  });
  const more = error.issues.length - told.length;
  return more > 0 ? `${told.join("; ")}; and ${more} more` : told.join("; ");
}

/** True when a JSON value nests deeper than `limit`; walks without recursion, because a body may be built to overflow it. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== "object" || each === null) continue;
      for (const child of Object.values(each)) if (typeof child === "object" && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}
