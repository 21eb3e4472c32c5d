/** A host as it stands in an address: an IPv6 one in brackets. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
