/** A host name that the browser maps to loopback. Its origin is not a secure context, as in a restaurant. */
export const HUB_NAME = "hub.test";
