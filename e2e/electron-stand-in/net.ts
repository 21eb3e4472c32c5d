// Electron's `net` over node:http: enough of ClientRequest for electron-updater, and fetch.
import { EventEmitter } from "node:events";
import http from "node:http";
import https from "node:https";

class ClientRequest extends EventEmitter {
  readonly #request: http.ClientRequest;

  constructor(options: http.RequestOptions & { url?: string; redirect?: string }) {
    super();
    const { url, redirect, ...rest } = options;
    const address = url === undefined ? undefined : new URL(url);
    const secure = (address?.protocol ?? rest.protocol ?? "https:") === "https:";
    const { session: _session, ...plain } = rest as http.RequestOptions & { session?: unknown };
    this.#request = (secure ? https : http).request({ ...plain, ...(address === undefined ? {} : urlParts(address)) });
    this.#request.on("error", (error) => this.emit("error", error));
    this.#request.on("close", () => this.emit("close"));
    this.#request.on("response", (response) => {
      const location = response.headers.location;
      const status = response.statusCode ?? 0;
      if (redirect === "manual" && location !== undefined && status >= 300 && status < 400) {
        response.resume();
        return void this.emit("redirect", status, "GET", location, response.headers);
      }
      this.emit("response", response);
    });
  }

  setHeader = (name: string, value: string) => void this.#request.setHeader(name, value);
  write = (chunk: string | Buffer) => this.#request.write(chunk);
  end = (chunk?: string | Buffer) => void this.#request.end(chunk);
  abort(): void {
    this.#request.destroy();
    this.emit("abort");
  }
}

function urlParts(url: URL): http.RequestOptions {
  return { protocol: url.protocol, hostname: url.hostname, port: url.port, path: url.pathname + url.search };
}

export const net = {
  request: (options: string | http.RequestOptions) =>
    new ClientRequest(typeof options === "string" ? { url: options } : options),
  fetch: globalThis.fetch,
  isOnline: () => true,
};
