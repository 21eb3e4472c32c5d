/** Where a back-office of a restaurant usually is. Nothing else on the network is asked: it is not scanned. */
export const usualAddresses: readonly string[] = [
  "http://127.0.0.1:8069",
  "http://odoo.local:8069",
  "http://odoo.local",
  "http://backoffice.local:8069",
  "http://backoffice.local",
];

/** Enough for a name of the local network to be found and its server to answer. */
const TIMEOUT_MS = 2_500;

/** Which of these addresses answer like a back-office, in their order; over within a few seconds, whatever they do. */
export async function findBackOffices(addresses: readonly string[], timeoutMs: number = TIMEOUT_MS): Promise<string[]> {
  const origins = [...new Set(addresses.flatMap((address) => URL.parse(address)?.origin ?? []))];
  const signal = AbortSignal.timeout(timeoutMs);
  const found = await Promise.all(origins.map((origin) => isBackOffice(origin, signal)));
  return origins.filter((_origin, index) => found[index]);
}

/** Calls that need no session; the second is also known to a back-office that hides its version. */
const calls = ["/web/webclient/version_info", "/web/session/get_session_info"];
/** The JSON-RPC error of a call that needs a session. */
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
      // Nothing is there, or something else: the next call, or the next address.
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
