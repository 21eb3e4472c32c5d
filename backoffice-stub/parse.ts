import type { z } from "zod";
import { Refusal } from "./refusal.ts";

/** Parses `body` by the schema. Throws a VALIDATION_ERROR that names every wrong field. */
export function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new Refusal("VALIDATION_ERROR", result.error.issues.map(issueText).join("; "));
}

function issueText(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}
