import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { urlHost } from "@comanda/protocol/url-host.ts";
import type { Logger } from "pino";
import type { ProxyConfig } from "./config.ts";
import { createDownloadAddresses } from "./download-address.ts";
import { createFolderSource } from "./folder-source.ts";
import { createGithubSource } from "./github-source.ts";
import { createManifestCache } from "./manifest-cache.ts";
import { closeServer, createProxyApp } from "./server.ts";

/** How long open downloads and checks may continue after a signal to stop. */
const stopGraceMs = 5_000;

/** Builds the proxy and listens. Rejects with the system's error if the address is not available. */
export async function startProxy(config: ProxyConfig, log: Logger) {
  const monotonicMs = () => performance.now();
  let url = "";
  const { source, downloads } = build(config, () => config.publicUrl ?? url);
  const cache = createManifestCache(source, config.cacheMs, monotonicMs);
  const app = createProxyApp({ cache, monotonicMs, log, ...(downloads === undefined ? {} : { downloads }) });

  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  url = addressOf(config.host, (server.address() as AddressInfo).port);

  return {
    url,
    async stop() {
      await closeServer(server, stopGraceMs);
      await source.close();
    },
  };
}

function build({ source }: ProxyConfig, publicUrl: () => string) {
  if (source.kind === "github") return { source: createGithubSource(source), downloads: undefined };
  const addresses = createDownloadAddresses(source.secret, source.ttlMs, () => Date.now());
  const { root, ttlMs } = source;
  return { source: createFolderSource({ root, ttlMs, addresses, publicUrl }), downloads: { root, addresses } };
}

function addressOf(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return `http://${urlHost(host)}:${port}`;
}
