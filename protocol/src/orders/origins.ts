/** Prefix of the references of orders that the hub creates for integrations. */
export const EXTERNAL_REFERENCE_PREFIX = "EXT/";

export const HUB_ORIGIN = "hub";
export const EXTERNAL_ORIGIN_PREFIX = "ext:";
