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
