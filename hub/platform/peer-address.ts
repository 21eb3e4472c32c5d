import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";

/** The addresses that requests are counted against. */
export type Peers = ReturnType<typeof createPeers>;

/**
 * `X-Forwarded-For` is believed only as far as trusted proxies have written it: the peer is the last address in it that is
 * none of theirs. Without trusted proxies (addresses or CIDR ranges) it is ignored, as anyone may send it.
 */
export function createPeers(trustedProxies: readonly string[]) {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return {
    /** As text, IPv4 also where the socket is IPv6; empty once the socket is gone. */
    of(request: IncomingMessage): string {
      // Without a socket address there is nothing to compare; proxy-addr would take that for a bug of ours.
      if (request.socket.remoteAddress === undefined) return "";
      return unmapped(proxyAddr(request, isTrusted));
    },
    /** Whether a socket's address is a trusted proxy's, behind which many peers stand. */
    isProxy: (address: string): boolean => isTrusted(address, 0),
  };
}

/** Whether an address, or a CIDR range, is one that can be trusted as a proxy. */
export function isProxyAddress(text: string): boolean {
  if (!/[.:]/.test(text)) return false;
  try {
    proxyAddr.compile(text);
    return true;
  } catch {
    return false;
  }
}

function unmapped(address: string): string {
  return address.replace(/^::ffff:/i, "");
}
