import { z } from "zod";

/** The newer version as a screen may show it; it never carries the download address. */
export const UpdateOffer = z.strictObject({ version: z.string(), notes: z.string(), publishedAt: z.string() });
export type UpdateOffer = z.infer<typeof UpdateOffer>;

/** How far a download is; `totalBytes` is null while the host has not announced a length. */
export const UpdateProgress = z.strictObject({
  transferredBytes: z.int().min(0),
  totalBytes: z.int().min(0).nullable(),
  bytesPerSecond: z.number().min(0),
});
export type UpdateProgress = z.infer<typeof UpdateProgress>;

/**
 * Where the desktop client stands with updates. `overlay` covers the whole screen and can be put off with 'Later';
 * `downloading`, `verifying` and `installing` cannot be dismissed; `fallback` offers 'Continue Anyway'.
 * `problem` says in one sentence why the last attempt came to nothing; `notice` what is left for a person to do.
 */
export const UpdateState = z.discriminatedUnion("name", [
  z.strictObject({ name: z.literal("checking") }),
  z.strictObject({ name: z.literal("app") }),
  z.strictObject({
    name: z.literal("overlay"),
    offer: UpdateOffer,
    action: z.enum(["install", "open-download"]),
    problem: z.string().nullable(),
    notice: z.string().nullable(),
  }),
  z.strictObject({ name: z.literal("downloading"), offer: UpdateOffer, progress: UpdateProgress.nullable() }),
  z.strictObject({ name: z.literal("verifying"), offer: UpdateOffer }),
  z.strictObject({ name: z.literal("installing"), offer: UpdateOffer }),
  z.strictObject({ name: z.literal("fallback"), problem: z.string() }),
]);
export type UpdateState = z.infer<typeof UpdateState>;

/** What an operator can press: 'Install Update' (or 'Download Update'), 'Later', 'Continue Anyway', 'Try Again'. */
export const UpdateChoice = z.enum(["install", "later", "continue-anyway", "try-again"]);
export type UpdateChoice = z.infer<typeof UpdateChoice>;
