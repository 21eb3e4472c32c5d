import { parseUrl } from "@comanda/protocol/parse-url.ts";

/** Whether an address leads to the computer that opens it. */
export function isThisComputer(url: string): boolean {
  const host = parseUrl(url)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}
