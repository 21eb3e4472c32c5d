// The part of the updater that the desktop app uses.
export { type CheckOutcome, type CheckSources, checkForUpdate } from "./check.ts";
export type { AppAdapter, ElectronUpdaterModule, HttpExecutor } from "./engine/engine-types.ts";
export { type EngineDeps, type UpdateEngine, createUpdateEngine } from "./engine/update-engine.ts";
export type { Offer } from "./guard-offer.ts";
export { type Bundle, type InstalledClient, describeInstallation } from "./installed-client.ts";
export { describeProblem, redactAddresses } from "./redact-addresses.ts";
export { type ReleaseChannel, hasChannel, releaseChannel } from "./release-channel.ts";
export { type DownloadHooks, type SessionDeps, type UpdateSession, startUpdateSession } from "./update-session.ts";
export { AddressExpired, UpdateRefused } from "./update-refused.ts";
export { verifySignature } from "./verify-signature.ts";
