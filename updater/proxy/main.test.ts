// @module-tag long
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { makeReleaseFolder } from "../test/make-release-folder.ts";
import { startServer } from "../test/start-server.ts";

const main = path.join(import.meta.dirname, "main.ts");
const running: ChildProcess[] = [];
afterEach(() => running.splice(0).forEach((child) => child.kill("SIGKILL")));

function run(env: Record<string, string>, cwd = "/") {
  const child = spawn(process.execPath, [main], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...output }));
  const listening = async () => {
    while (!/^listening on /m.test(output.out))
      await Promise.race([once(child.stdout, "data"), ended.then(() => Promise.reject(new Error(output.err)))]);
    return /^listening on (http:\/\/\S+)$/m.exec(output.out)![1]!;
  };
  return { child, ended, listening };
}

it("the proxy prints where it listens, serves, and stops cleanly on SIGTERM and SIGINT [UPD-30]", async () => {
  await using folder = await makeReleaseFolder();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const proxy = run({ UPDATE_SOURCE: `dir:${folder.root}`, UPDATE_PORT: "0" });
    const url = await proxy.listening();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${url}/update/check`)).status).toBe(204);
    proxy.child.kill(signal);
    const { code, out } = await proxy.ended;
    expect(code).toBe(0);
    expect(out.split("\n").filter((line) => line !== "" && !line.startsWith("{"))).toEqual([`listening on ${url}`]);
  }
});

describe("a bad setting is one plain sentence and exit 1 [UPD-31]", () => {
  it.each([
    [{}, "UPDATE_SOURCE is not set; allowed are github:OWNER/REPO and dir:PATH."],
    [{ UPDATE_SOURCE: "svn:x" }, 'UPDATE_SOURCE is "svn:x"; allowed are github:OWNER/REPO and dir:PATH.'],
    [{ UPDATE_SOURCE: "github:a/.." }, 'UPDATE_SOURCE is "github:a/.."; allowed are github:OWNER/REPO and dir:PATH.'],
    [
      { UPDATE_SOURCE: "dir:/no/such/folder" },
      'UPDATE_SOURCE is "dir:/no/such/folder", but /no/such/folder is no folder that can be read; allowed are github:OWNER/REPO and dir:PATH.',
    ],
    [
      { UPDATE_SOURCE: "github:a/b", UPDATE_PORT: "99999" },
      'UPDATE_PORT is "99999"; allowed are whole numbers from 0 to 65535.',
    ],
    [
      { UPDATE_SOURCE: "github:a/b", UPDATE_CACHE_MS: "5s" },
      'UPDATE_CACHE_MS is "5s"; allowed are whole numbers from 200 to 86400000.',
    ],
    [
      { UPDATE_SOURCE: "dir:/", UPDATE_URL_TTL_MS: "199" },
      'UPDATE_URL_TTL_MS is "199"; allowed are whole numbers from 200 to 86400000.',
    ],
    [
      { UPDATE_SOURCE: "github:a/b", UPDATE_GITHUB_API: "ftp://x" },
      'UPDATE_GITHUB_API is "ftp://x"; allowed are http and https addresses without a query.',
    ],
    [
      { UPDATE_SOURCE: "github:a/b", UPDATE_GITHUB_API: "https://me:hidden@x" },
      "UPDATE_GITHUB_API holds a user name or password; allowed are http and https addresses without one.",
    ],
    [
      { UPDATE_SOURCE: "github:a/b", UPDATE_URL_TTL_MS: "10m" },
      'UPDATE_URL_TTL_MS is "10m"; allowed are whole numbers from 200 to 86400000.',
    ],
    [
      { UPDATE_SOURCE: "dir:/", UPDATE_GITHUB_API: "ftp://x" },
      'UPDATE_GITHUB_API is "ftp://x"; allowed are http and https addresses without a query.',
    ],
    [
      { UPDATE_SOURCE: "dir:/", UPDATE_GITHUB_TOKEN: "two words" },
      "UPDATE_GITHUB_TOKEN holds characters that no credential has; allowed are printable ones without spaces.",
    ],
    [
      { UPDATE_SOURCE: "github:a/b", UPDATE_HOST: "203.0.113.9" },
      'UPDATE_HOST is "203.0.113.9", which is no address of this machine.',
    ],
  ] as [Record<string, string>, string][])(
    "the bad setting %j exits with 1 and one sentence",
    async (env, sentence) => {
      const { code, out, err } = await run(env).ended;
      expect({ code, out, err }).toEqual({ code: 1, out: "", err: `${sentence}\n` });
    },
  );

  it("a port in use exits with 1 and one sentence", async () => {
    await using taken = await startServer((_request, response) => void response.end());
    const port = new URL(taken.url).port;
    const { code, err } = await run({ UPDATE_SOURCE: "github:a/b", UPDATE_PORT: port }).ended;
    expect([code, err]).toEqual([
      1,
      `UPDATE_PORT is "${port}", but that port is in use on 127.0.0.1; give it a free one.\n`,
    ]);
  });
});

it("the proxy reads a .env file, also as Windows writes it, and the environment wins [UPD-32]", async () => {
  await using folder = await makeReleaseFolder([
    { version: "1.0.0", files: { ".env": "\uFEFFUPDATE_PORT=0\nUPDATE_SOURCE=svn:x\n" } },
  ]);
  const proxy = run({ UPDATE_SOURCE: `dir:${folder.root}` }, path.join(folder.root, "1.0.0"));
  expect(await proxy.listening()).not.toContain(":8770");
});

it("a variable that begins like a setting but is none causes a warning [HUB-244]", async () => {
  await using folder = await makeReleaseFolder();
  const proxy = run({ UPDATE_SOURCE: `dir:${folder.root}`, UPDATE_PORT: "0", UPDATE_CACHE: "5000" });
  await proxy.listening();
  proxy.child.kill("SIGTERM");
  const { out } = await proxy.ended;
  expect(out).toContain('"msg":"UPDATE_CACHE is no setting and is ignored: is UPDATE_CACHE_MS meant?"');
});

it("the proxy never prints its credential, whatever fails [UPD-8]", async () => {
  await using host = await startServer(
    (request, response) => void response.writeHead(500).end(request.headers.authorization),
  );
  const token = "ghp_never_to_be_seen";
  const proxy = run({
    UPDATE_SOURCE: "github:a/b",
    UPDATE_GITHUB_API: host.url,
    UPDATE_GITHUB_TOKEN: token,
    UPDATE_PORT: "0",
  });
  const answer = await fetch(`${await proxy.listening()}/update/check`);
  expect(answer.status).toBe(502);
  expect(await answer.text()).not.toContain(token);
  proxy.child.kill("SIGTERM");
  const { out, err } = await proxy.ended;
  expect(out).toContain("release host failed");
  expect(out + err).not.toContain(token);
});
