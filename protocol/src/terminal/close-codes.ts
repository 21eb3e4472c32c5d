/** The hub is stopping. */
export const goingAway = 1001;
/** A binary frame. */
export const unsupportedData = 1003;
/** The terminal read nothing for 30 s, or sent nothing for two heartbeats. */
export const policyViolation = 1008;
/** A frame above 1 MiB. */
export const messageTooBig = 1009;
/** The hub accepts no more connections from this address right now. Reconnect after a moment. */
export const tryAgainLater = 1013;
/** Invalid token, or no AUTH in time. */
export const unauthenticated = 4401;
/** Authenticated, but not allowed, or not on this device. */
export const forbidden = 4403;
/** A newer connection uses the same deviceId. Do not reconnect automatically. */
export const replaced = 4409;
/** The version of the protocol or of the terminal is too old. */
export const protocolTooOld = 4426;
/**
 * The hub does not know this identity and cannot verify it now: the back-office is unreachable, or too many unknown
 * sessions are already being verified. Reconnect later.
 */
export const backOfficeUnreachable = 4503;
