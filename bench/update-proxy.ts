// Load test of the update proxy: checks at a steady rate from loopback, with one look-up at the release host.
// Runs with the benchmarks, or alone: node bench/update-proxy.ts [rate] [seconds]
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";

export interface UpdateProxyLoad {
  requests: number;
  failed: number;
  /** Requests that the release host received for its list of releases. */
  upstreamCalls: number;
  p50Ms: number;
  p99Ms: number;
}

/** The installers of one release; each gets a well-formed signature. */
const installers = [
  "_x64-setup.exe",
  "_x64_en-US.msi",
  "_aarch64.AppImage",
  "_amd64.AppImage",
  "_aarch64.dmg",
  "_x86_64.dmg",
];

/**
 * Sends `rate` checks a second for `seconds`, each at its scheduled moment even if earlier ones are unanswered. A pause of the
 * proxy therefore shows in the times of all checks that it delays.
 */
export async function benchUpdateProxy({ seconds, rate }: { seconds: number; rate: number }): Promise<UpdateProxyLoad> {
  const host = await startReleaseHost();
  const proxy = await startProxy(host.url);
  const agent = new Agent({ connections: 64, pipelining: 1 });
  const times: number[] = [];
  let failed = 0;

  async function check(dueMs: number): Promise<void> {
    try {
      const answer = await request(`${proxy.url}/update/check`, {
        dispatcher: agent,
        signal: AbortSignal.timeout(10_000),
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) failed += 1;
    } catch {
      failed += 1;
    }
    times.push(performance.now() - dueMs);
  }

  try {
    // Warms up with one second of the same load: opens connections, compiles code.
    await paced(rate, 1, check);
    times.length = 0;
    await paced(rate, seconds, check);
  } finally {
    await agent.destroy();
    await proxy.stop();
    host.stop();
  }
  times.sort((a, b) => a - b);
  const quantile = (share: number) => Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 100) / 100;
  return { requests: times.length, failed, upstreamCalls: host.calls(), p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

async function paced(rate: number, seconds: number, work: (dueMs: number) => Promise<void>): Promise<void> {
  const startMs = performance.now();
  const total = Math.round(rate * seconds);
  const pending = new Set<Promise<void>>();
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1000) * rate) + 1);
    for (; sent < due; sent += 1) {
      const updateCheck = work(startMs + (sent / rate) * 1000).finally(() => pending.delete(updateCheck));
      pending.add(updateCheck);
    }
    await sleep(1);
  }
  await Promise.all(pending);
}

async function startReleaseHost() {
  let calls = 0;
  const signature = wellFormedSignature();
  const names = installers.map((suffix) => `comanda-hub_1.4.0${suffix}`).flatMap((name) => [name, `${name}.sig`]);
  const server = createServer((incoming, response) => {
    const id = /\/assets\/(\d+)$/.exec(incoming.url ?? "")?.[1];
    if (id === undefined) {
      calls += 1;
      const assets = names.map((name, index) => ({ id: index, name }));
      const release = {
        tag_name: "v1.4.0",
        draft: false,
        prerelease: false,
        published_at: "2026-01-01T00:00:00Z",
        body: "Notes",
        assets,
      };
      return void response.end(JSON.stringify([release]));
    }
    if (names[Number(id)]?.endsWith(".sig") === true) return void response.end(signature);
    response.writeHead(302, { location: `https://files.example/${id}?${"s".repeat(400)}` }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function startProxy(api: string) {
  const main = path.resolve(import.meta.dirname, "../updater/proxy/main.ts");
  const env = {
    PATH: process.env["PATH"],
    UPDATE_SOURCE: "github:acme/pos",
    UPDATE_GITHUB_API: api,
    UPDATE_PORT: "0",
    UPDATE_HOST: "127.0.0.1",
  };
  const child: ChildProcess = spawn(process.execPath, [main], {
    env,
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  while (!output.includes("listening on ")) {
    await Promise.race([
      once(child.stdout ?? child, "data"),
      ended.then(() => Promise.reject(new Error("the update proxy did not start"))),
    ]);
  }
  return {
    url: /listening on (\S+)/.exec(output)?.[1] ?? "",
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Returns a signature of four lines with the right lengths; its content is not checked here. */
function wellFormedSignature(): string {
  const body = Buffer.concat([Buffer.from("ED"), Buffer.alloc(72, 1)]).toString("base64");
  const lines = ["untrusted comment: bench", body, "trusted comment: bench", Buffer.alloc(64, 2).toString("base64")];
  return Buffer.from(`${lines.join("\n")}\n`).toString("base64");
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === import.meta.filename) {
  const [rate = 2000, seconds = 10] = process.argv.slice(2).map(Number);
  const load = await benchUpdateProxy({ rate, seconds });
  console.log(
    `update proxy: ${load.requests} checks at ${rate}/s, ${load.failed} failed, ${load.upstreamCalls} look-up, p50 ${load.p50Ms} ms, p99 ${load.p99Ms} ms`,
  );
}
