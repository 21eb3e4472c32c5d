import { z } from "zod";

/** The platforms of the update proxy: operating system, processor and, if it matters, installer type. */
export const updatePlatformKeys = [
  "windows-x86_64",
  "windows-x86_64-nsis",
  "windows-x86_64-msi",
  "linux-x86_64",
  "linux-aarch64",
  "darwin-x86_64",
  "darwin-aarch64",
] as const;
export type UpdatePlatformKey = (typeof updatePlatformKeys)[number];

/** An installer: a pre-signed URL that needs no credentials, and the content of its `.sig` file. */
export const UpdatePlatform = z.object({ url: z.url(), signature: z.string() });

/** The answer of `GET /update/check`. Clients ignore unknown keys. */
export const UpdateManifest = z.object({
  version: z.string(),
  notes: z.string(),
  pub_date: z.string(),
  platforms: z.record(z.string(), UpdatePlatform),
});
export type UpdateManifest = z.infer<typeof UpdateManifest>;

/** The back-office's 200 answer to `GET /pos-api/v1/updates/check/{target}/{arch}/{version}`. Android has no signature. */
export const BackOfficeUpdate = z.object({
  version: z.string(),
  notes: z.string(),
  pub_date: z.string(),
  url: z.url(),
  signature: z.string().optional(),
});
export type BackOfficeUpdate = z.infer<typeof BackOfficeUpdate>;
