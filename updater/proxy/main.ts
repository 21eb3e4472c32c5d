// The update proxy: tells desktop clients which version is the newest and where to download it.
import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";

if (Number(process.versions.node.split(".")[0]) < 22) {
  console.error(
    `The update proxy needs Node 24; this is Node ${process.versions.node}. Start it with npm run update-proxy.`,
  );
  process.exit(1);
}

if (process.argv.length > 2) {
  const isHelp = process.argv.includes("--help");
  const sentence =
    "npm run update-proxy takes no arguments. Its settings, from the environment or .env: updater/README.md";
  console[isHelp ? "log" : "error"](sentence);
  process.exit(isHelp ? 0 : 1);
}

// A closed output must not end the proxy.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const { default: pino } = await import("pino");
const { envText } = await import("@comanda/protocol/file-text.ts");
const { logFormat } = await import("@comanda/protocol/log-format.ts");
const { BadSetting, readProxyConfig } = await import("./config.ts");
const { startProxy } = await import("./start-proxy.ts");

try {
  if (existsSync(".env")) Object.assign(process.env, { ...parseEnv(envText(readFileSync(".env"))), ...process.env });
  const config = readProxyConfig(process.env);
  const log = pino(logFormat("update-proxy"), pino.destination({ fd: 1, sync: true }));
  for (const warning of config.warnings) log.warn(warning);

  const proxy = await startProxy(config, log);
  const { source } = config;
  const from = source.kind === "dir" ? source.root : `${source.owner}/${source.repository}`;
  log.info({ url: proxy.url, source: source.kind, from }, "update proxy started");
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void proxy.stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // Printed last: a program that waits for this line may stop the proxy at once.
  console.log(`listening on ${shown(config.host, proxy.url)}`);
} catch (error) {
  console.error(sentence(error));
  process.exit(1);
}

/** Shows the host as configured, even if it means every address of this machine. */
function shown(host: string, url: string): string {
  return host === "0.0.0.0" ? url.replace("127.0.0.1", host) : url;
}

function sentence(error: unknown): string {
  if (error instanceof BadSetting) return error.message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const port = process.env["UPDATE_PORT"] || "8770";
  const host = process.env["UPDATE_HOST"] || "127.0.0.1";
  if (code === "EADDRINUSE") return `UPDATE_PORT is "${port}", but that port is in use on ${host}; give it a free one.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `UPDATE_HOST is "${host}", which is no address of this machine.`;
  if (code === "EACCES")
    return `UPDATE_PORT is "${port}", which this user may not listen on; allowed are ports above 1023.`;
  return `The update proxy could not start: ${error instanceof Error ? error.message : String(error)}`;
}
