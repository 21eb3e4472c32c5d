import { z } from "zod";
import { Said } from "./sentences.ts";

/**
 * One thing that is wrong with an input: where, and what was expected, in zod's terms. Screens put it into words; bounds are
 * those that were broken.
 */
export const InputIssue = z.object({
  path: z.array(z.union([z.string(), z.number()])),
  code: z.string(),
  /** What has the bound: `string`, `number`, `array`. */
  origin: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  format: z.string().optional(),
  expected: z.string().optional(),
  /** Nothing was given there. */
  missing: z.literal(true).optional(),
});
export type InputIssue = z.infer<typeof InputIssue>;

/**
 * What a refusal of `/operator/v1` carries beside `error` and `errorCode`, where it is known. `reason` names one of the hub's
 * sentences and `values` what stands in it; `issues` says what is wrong with the request; `backOffice` is what the
 * back-office answered, in its own words.
 */
export const ErrorExplanation = z.object({
  reason: z.string().optional(),
  values: Said.shape.values,
  issues: z.array(InputIssue).optional(),
  backOffice: z.object({ words: z.string(), errorCode: z.string().nullable() }).optional(),
});
export type ErrorExplanation = z.infer<typeof ErrorExplanation>;

const MAX_ISSUES = 20;

/** The first issues of an input that a schema has refused, for a machine to read. */
export function inputIssues(error: z.ZodError, input: unknown): InputIssue[] {
  return error.issues.slice(0, MAX_ISSUES).map((issue) => ({
    ...Bounds.parse(issue),
    path: issue.path.map((part) => (typeof part === "number" ? part : String(part))),
    code: issue.code,
    ...(valueAt(input, issue.path) === undefined && { missing: true }),
  }));
}

/** What an issue of zod's may say about itself; a bound of another kind, such as a date, is left out. */
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
