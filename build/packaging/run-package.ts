import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const startMs = 60_000;

/**
 * Runs an unpacked package's main on the stand-in for Electron. The hub must start from the packed files alone, serve its
 * health report and screens, have a thread check its data file, and exit cleanly. Resolves with the problems.
 */
export async function runPackage(folder: string, profile: string): Promise<string[]> {
  const env = {
    ...process.env,
    HUB_HTTP_PORT: "0",
    HUB_HOST: "127.0.0.1",
    HUB_MDNS_ENABLED: "false",
    ERP_URL: "http://127.0.0.1:9",
  };
  const program = path.join(root, "e2e/electron-stand-in/electron");
  const child = spawn(program, [folder, `--profile-dir=${profile}`], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const listening = Promise.withResolvers<string>();
  const jobDone = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const [, url] = /^listening on (http\S+)\r?\n/m.exec(output) ?? [];
      if (url !== undefined) listening.resolve(url);
      const [, ok] = /"ok":(true|false),.*"data file checked"/.exec(output) ?? [];
      if (ok !== undefined) jobDone.resolve(ok);
    });
  }
  const ended = once(child, "close") as Promise<[number | null]>;
  const overdue = setTimeout(() => child.kill("SIGKILL"), startMs);
  try {
    const url = await Promise.race([listening.promise, ended.then(() => null)]);
    if (url === null) return [`the packed app did not start:\n${output.slice(-3000)}`];
    const problems = [...(await inspectHub(url))];
    // Some seconds after the start, a thread checks the data file. Its program must be in the package too.
    const checked = await Promise.race([jobDone.promise, ended.then(() => null)]);
    if (checked !== "true")
      problems.push(`the packed app could not have its data file checked:\n${output.slice(-3000)}`);
    child.kill("SIGTERM");
    const [code] = await ended;
    return code === 0 ? problems : [...problems, `the packed app ended with exit ${code}`];
  } finally {
    clearTimeout(overdue);
    child.kill("SIGKILL");
  }
}

async function inspectHub(url: string): Promise<string[]> {
  const health = await fetch(new URL("/health", url));
  const page = await fetch(url);
  const html = await page.text();
  return [
    ...(health.status === 200 ? [] : [`/health of the packed app answers ${health.status}`]),
    ...(page.status === 200 && html.includes("<script")
      ? []
      : [`the packed app does not serve its screens (${page.status})`]),
  ];
}
