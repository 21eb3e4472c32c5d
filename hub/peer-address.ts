import type { IncomingMessage } from "node:http";
import proxyAddr from "proxy-addr";

/** The address that a request is counted against, as text: IPv4 also where the socket is IPv6. Empty once the socket is gone. */
export type PeerOf = (request: IncomingMessage) => string;

/**
 * `X-Forwarded-For` is believed only as far as trusted proxies have written it: the answer is the last address in it that
 * is none of theirs. Without trusted proxies (addresses or CIDR ranges) it is ignored, as anyone may send it.
 */
export function createPeerOf(trustedProxies: readonly string[]): PeerOf {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (request) => {
    // Without a socket address there is nothing to compare; proxy-addr would take that for a bug of ours.
    if (request.socket.remoteAddress === undefined) return "";
    return unmapped(proxyAddr(request, isTrusted));
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
