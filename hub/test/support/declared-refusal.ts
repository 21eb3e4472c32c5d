import { errorStatus, type HttpRoute, routeErrors } from "@comanda/protocol";
import type { Answer } from "./send.ts";

/** Throws on a refusal that the route's entry, and so its API document, does not list. */
export function expectDeclared(route: HttpRoute, { status, body }: Answer): void {
  if (status < 400) return;
  const actual = `${status} ${body?.errorCode}`;
  if (routeErrors(route).some((code) => `${errorStatus[code]} ${code}` === actual)) return;
  throw new Error(`${route.method} ${route.path} answered ${actual}, which its entry does not name`);
}
