/** Entry point of `npm run backoffice`. Only this file accesses the process. */
import process from "node:process";

const major = Number(process.versions.node.split(".")[0]);
if (major < 22) {
  console.error(
    `The back-office stand-in needs Node 24, this is Node ${process.versions.node}. Start it with: npm run backoffice`,
  );
  process.exit(1);
}

if (process.argv.length > 2) {
  const isHelp = process.argv.includes("--help");
  const sentence =
    "npm run backoffice takes no arguments. Its settings, from the environment or .env: backoffice-stub/README.md";
  console[isHelp ? "log" : "error"](sentence);
  process.exit(isHelp ? 0 : 1);
}

const [{ existsSync, readFileSync }, { parseEnv }, { pino }, { envText }, { logFormat }] = await Promise.all([
  import("node:fs"),
  import("node:util"),
  import("pino"),
  import("@comanda/protocol/file-text.ts"),
  import("@comanda/protocol/log-format.ts"),
]);
const [{ readConfig }, { startBackOffice }, { StartFailure }, { realWorld }] = await Promise.all([
  import("./config.ts"),
  import("./back-office.ts"),
  import("./start-failure.ts"),
  import("./world.ts"),
]);

// A closed output pipe must not end the program.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

if (existsSync(".env")) Object.assign(process.env, { ...parseEnv(envText(readFileSync(".env"))), ...process.env });

try {
  const { warnings, ...config } = readConfig(process.env);
  const log = pino(logFormat("backoffice"));
  for (const warning of warnings) log.warn(warning);
  const backOffice = await startBackOffice(config, realWorld(log));
  let stopping = false;
  const stop = (): void => {
    // A signal can arrive twice: from the terminal and through npm.
    if (stopping) return;
    stopping = true;
    void backOffice.stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  console.log(`listening on ${backOffice.url}`);
} catch (error) {
  if (!(error instanceof StartFailure)) throw error;
  console.error(error.message);
  process.exit(1);
}
