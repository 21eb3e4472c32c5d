/** References that begin so name orders that the hub makes, for integrations. */
export const EXTERNAL_REFERENCE_PREFIX = "EXT/";

export const HUB_ORIGIN = "hub";
export const EXTERNAL_ORIGIN_PREFIX = "ext:";
