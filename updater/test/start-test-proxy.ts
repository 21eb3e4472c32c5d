import { Writable } from "node:stream";
import pino from "pino";
import { readProxyConfig } from "../proxy/config.ts";
import { startProxy } from "../proxy/start-proxy.ts";

export interface TestProxy extends AsyncDisposable {
  url: string;
  /** Everything logged so far. */
  logged(): string;
  check(headers?: Record<string, string>): Promise<Response>;
}

/** Starts the proxy on a free port, configured as from the environment. */
export async function startTestProxy(env: Record<string, string>): Promise<TestProxy> {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const proxy = await startProxy(readProxyConfig({ UPDATE_PORT: "0", ...env }), pino({ level: "trace" }, sink));
  return {
    url: proxy.url,
    logged: () => lines.join(""),
    check: (headers = {}) => fetch(`${proxy.url}/update/check`, { headers }),
    [Symbol.asyncDispose]: () => proxy.stop(),
  };
}
