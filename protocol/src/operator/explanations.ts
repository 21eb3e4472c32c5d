import { z } from "zod";
import { Sentence } from "./sentences.ts";

/**
 * One validation error of an input: its path, and what was expected, in zod's terms. Screens put it into words. Only the bounds
 * that were violated are set.
 */
export const InputIssue = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  code: z.string(),
  /** The type that has the bound: `string`, `number`, `array`. */
  origin: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  format: z.string().optional(),
  expected: z.string().optional(),
  /** The value is missing. */
  missing: z.literal(true).optional(),
});
export type InputIssue = z.infer<typeof InputIssue>;

/**
 * Extra fields of a refusal of `/operator/v1` beside `error` and `errorCode`, if known. `reason` names one of the hub's
 * sentences, and `values` are its placeholders' values. `issues` are the request's validation errors. `backOffice` is the
 * back-office's own answer.
 */
export const ErrorExplanation = z.object({
  reason: z.string().optional(),
  values: Sentence.shape.values,
  issues: z.array(InputIssue).optional(),
  backOffice: z.object({ words: z.string(), errorCode: z.string().nullable() }).optional(),
});
export type ErrorExplanation = z.infer<typeof ErrorExplanation>;

const MAX_ISSUES = 20;

/** Returns the first validation errors of an input that a schema rejected, in machine-readable form. */
export function inputIssues(error: z.ZodError, input: unknown): InputIssue[] {
  return error.issues.slice(0, MAX_ISSUES).map((issue) => ({
    ...Bounds.parse(issue),
    path: issue.path.map((part) => (typeof part === "number" ? part : String(part))),
    code: issue.code,
    ...(valueAt(input, issue.path) === undefined && { missing: true }),
  }));
}

/** The optional fields of a zod issue. A bound of another type, such as a date, is dropped. */
const Bounds = z.object({
  origin: z.string().optional().catch(undefined),
  minimum: z.number().optional().catch(undefined),
  maximum: z.number().optional().catch(undefined),
  format: z.string().optional().catch(undefined),
  expected: z.string().optional().catch(undefined),
});

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }, input);
}
