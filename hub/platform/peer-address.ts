import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";

/** Determines the addresses that requests are counted against. */
export type Peers = ReturnType<typeof createPeers>;

/**
 * `X-Forwarded-For` is trusted only as far as trusted proxies wrote it: the peer is its last address that is not such a proxy.
 * Without trusted proxies (addresses or CIDR ranges) the header is ignored, since anyone may send it.
 */
export function createPeers(trustedProxies: readonly string[]) {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return {
    /** Returns the peer's address, as IPv4 also for an IPv6 socket; "" once the socket is closed. */
    addressOf(request: IncomingMessage): string {
      // Without a socket address there is nothing to compare with the trusted proxies.
      if (request.socket.remoteAddress === undefined) return "";
      return unmapped(proxyAddr(request, isTrusted));
    },
    /** Whether a socket's address is a trusted proxy's, which many peers share. */
    isProxy: (address: string): boolean => isTrusted(address, 0),
  };
}

/** Whether a text is an address or CIDR range that can be trusted as a proxy. */
export function isProxyAddress(text: string): boolean {
  if (!/[.:]/.test(text)) return false;
  try {
    proxyAddr.compile(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns an IPv4 address that a socket shows as an IPv6 one in its own form. */
export function unmapped(address: string): string {
  return address.replace(/^::ffff:/i, "");
}
