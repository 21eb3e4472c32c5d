/** How Odoo reports an exception: with HTTP 200, in a JSON-RPC answer that names it. */
export function odooError(name: string): object {
  return {
    jsonrpc: "2.0",
    error: { code: 200, message: "Odoo Server Error", data: { name, message: "it went wrong" } },
  };
}
