import type { z } from "zod";

/** Describes the first issues of an input in one line, unknown keys first: where they are and what was expected. */
export function describeIssues(error: z.ZodError): string {
  const isUnknownKey = (issue: z.core.$ZodIssue): boolean => issue.code === "unrecognized_keys";
  const ordered = [...error.issues.filter(isUnknownKey), ...error.issues.filter((issue) => !isUnknownKey(issue))];
  const described = ordered.slice(0, 5).map((issue) => {
    const place = issue.path.map(String).join(".");
    return place === "" ? issue.message : `${place}: ${issue.message}`;
  });
  const more = error.issues.length - described.length;
  return more > 0 ? `${described.join("; ")}; and ${more} more` : described.join("; ");
}
