/** A name that the browser maps to loopback, so that the page stands on an origin that is not secure, as in a restaurant. */
export const HUB_NAME = "hub.test";
