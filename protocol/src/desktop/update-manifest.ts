import { z } from "zod";

/** The platforms of the update proxy: operating system, processor and, where it matters, the kind of installer. */
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

/** One installer: a pre-signed address that needs no credentials, and the content of its `.sig` file. */
export const UpdatePlatform = z.object({ url: z.url(), signature: z.string() });

/** The answer of `GET /update/check`. Clients ignore keys that they do not know. */
export const UpdateManifest = z.object({
  version: z.string(),
  notes: z.string(),
  pub_date: z.string(),
  platforms: z.record(z.string(), UpdatePlatform),
});
export type UpdateManifest = z.infer<typeof UpdateManifest>;

/** The 200 answer of the back-office to `GET /pos-api/v1/updates/check/{target}/{arch}/{version}`; android has no signature. */
export const BackOfficeUpdate = z.object({
  version: z.string(),
  notes: z.string(),
  pub_date: z.string(),
  url: z.url(),
  signature: z.string().optional(),
});
export type BackOfficeUpdate = z.infer<typeof BackOfficeUpdate>;
