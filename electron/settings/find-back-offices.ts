/** Usual addresses of a restaurant's back-office. Only these are tried: the network is not scanned. */
export const usualAddresses: readonly string[] = [
  "http://127.0.0.1:8069",
  "http://odoo.local:8069",
  "http://odoo.local",
  "http://backoffice.local:8069",
  "http://backoffice.local",
];

/** Enough to resolve a local network name and get an answer from its server. */
const TIMEOUT_MS = 2_500;

/** Returns which of these addresses answer like a back-office, in the given order, within a few seconds. */
export async function findBackOffices(addresses: readonly string[], timeoutMs: number = TIMEOUT_MS): Promise<string[]> {
  const origins = [...new Set(addresses.flatMap((address) => URL.parse(address)?.origin ?? []))];
  const signal = AbortSignal.timeout(timeoutMs);
  const found = await Promise.all(origins.map((origin) => isBackOffice(origin, signal)));
  return origins.filter((_origin, index) => found[index]);
}

/** Calls that need no session. A back-office that hides its version still answers the second. */
const calls = ["/web/webclient/version_info", "/web/session/get_session_info"];
/** JSON-RPC error of a call that needs a session. */
const SESSION_EXPIRED = 100;

async function isBackOffice(origin: string, signal: AbortSignal): Promise<boolean> {
  for (const path of calls) {
    try {
      const response = await fetch(origin + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", method: "call", id: 1, params: {} }),
        redirect: "error",
        signal,
      });
      if (isAnswer(await response.json())) return true;
    } catch {
      // Nothing or something else answers: continue with the next call or address.
    }
  }
  return false;
}

function isAnswer(answer: unknown): boolean {
  const { jsonrpc, result, error } = answer as {
    jsonrpc?: unknown;
    result?: { server_version?: unknown };
    error?: { code?: unknown };
  };
  return jsonrpc === "2.0" && (typeof result?.server_version === "string" || error?.code === SESSION_EXPIRED);
}
