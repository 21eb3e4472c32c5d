const [major = 0] = process.versions.node.split(".").map(Number);
if (major < 22) {
  console.error(`The hub needs Node 24, and this is Node ${process.versions.node}: start it with "npm run hub".`);
  process.exit(1);
}
const ENV_FILE = ".env";
const environment = { ...process.env };

// Speeds up the start, for modules imported from here on. Older Node versions lack it.
const { enableCompileCache } = await import("node:module");
enableCompileCache();

const { readEnvFile } = await import("./settings/env-file.ts");
try {
  // For Node itself, which reads variables such as TZ. The settings are read from the file.
  Object.assign(process.env, { ...readEnvFile(ENV_FILE), ...environment });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const args = process.argv.slice(2);
const [command = "start", ...options] = args.filter((arg) => arg !== "--empty");
if (command === "start" && options.length === 0) {
  const { runHub } = await import("./run-hub.ts");
  await runHub(environment, ENV_FILE, { allowEmpty: args.includes("--empty") });
} else {
  const { runCli } = await import("./cli/run-cli.ts");
  process.exitCode = await runCli(args, environment, ENV_FILE, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
}
