/** Builds Odoo's report of an exception: a JSON-RPC answer, sent with HTTP 200, that names it. */
export function odooError(name: string): object {
  return {
    jsonrpc: "2.0",
    error: { code: 200, message: "Odoo Server Error", data: { name, message: "it went wrong" } },
  };
}
