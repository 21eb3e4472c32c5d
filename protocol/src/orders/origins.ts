/** References that begin so name orders that the hub makes, for integrations. */
export const EXTERNAL_REFERENCE_PREFIX = "EXT/";

/** Last writer of a record: a terminal id, `ext:{keyId}`, or `hub`. */
export type Origin = string;
export const HUB_ORIGIN = "hub";
export const EXTERNAL_ORIGIN_PREFIX = "ext:";
