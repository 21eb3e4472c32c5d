import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { startProgram, type Program } from "../support/start-program.ts";
import { newFolder, runScript } from "./programs.ts";

/** A key pair made by the product's own tool; `publicKey` is what a client embeds. */
export interface SigningKey {
  keyFile: string;
  publicKey: string;
}

export function makeSigningKey(): SigningKey {
  const name = path.join(newFolder("keys"), "release");
  runScript("build/sign-release.ts", ["--generate", name]);
  return { keyFile: `${name}.key`, publicKey: readFileSync(`${name}.pub`, "utf8").trim() };
}

const suffix = process.arch === "arm64" ? "aarch64" : "amd64";

export interface Release {
  root: string;
  installer: string;
  content: Buffer;
  /** The content of its `.sig` file. */
  signature: string;
}

/** Notes beside itself with which arguments it was started; the rest of an AppImage is never read. */
const program = `#!/bin/sh
printf '%s\\n' "$@" > "$0.part"
mv "$0.part" "$0.started"
exit
`;

/** A folder with one published release in it, whose AppImage is signed. */
export function publishRelease(version: string, key: SigningKey, bytes = 3_000_000): Release {
  const root = newFolder("releases");
  const folder = path.join(root, version);
  mkdirSync(folder);
  const installer = path.join(folder, `comanda-hub_${version}_${suffix}.AppImage`);
  const content = Buffer.concat([Buffer.from(program), randomBytes(bytes - program.length)]);
  writeFileSync(installer, content);
  runScript("build/sign-release.ts", ["--version", version, installer], { UPDATE_SIGNING_KEY_FILE: key.keyFile });
  writeFileSync(path.join(folder, "NOTES.md"), "Faster tables.");
  writeFileSync(path.join(folder, "PUBLISHED"), "");
  return { root, installer, content, signature: readFileSync(`${installer}.sig`, "utf8").trim() };
}

export function flipOneByte({ installer, content }: Release): void {
  const changed = Buffer.from(content);
  changed.writeUInt8(changed.readUInt8(1000) ^ 1, 1000);
  writeFileSync(installer, changed);
}

export function cutOff({ installer, content }: Release): void {
  truncateSync(installer, content.length - 100_000);
}

export function dropSignature({ installer }: Release): void {
  rmSync(`${installer}.sig`);
}

export function startProxy({ root }: Release): Promise<Program> {
  const env = { UPDATE_SOURCE: `dir:${root}`, UPDATE_PORT: "0", UPDATE_HOST: "127.0.0.1" };
  return startProgram("updater/proxy/main.ts", env, newFolder("cwd"));
}

interface HostOptions {
  /** So many downloads are first answered 403, as an expired address is. */
  refusals?: number;
  /** Until then the second half of the installer comes in drops, as over a poor line. */
  hold?: Promise<unknown>;
}

/** A release host of its own, with a manifest and the installer. */
export async function startHost(version: string, release: Release, { refusals = 0, hold }: HostOptions = {}) {
  let downloads = 0;
  const half = release.content.length / 2;
  const server = createServer((request, response) => {
    if (request.url === "/update/check") {
      const entry = { url: `${url}/download`, signature: release.signature };
      const platforms = { [process.arch === "arm64" ? "linux-aarch64" : "linux-x86_64"]: entry };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ version, notes: "", pub_date: "2026-01-05T10:00:00Z", platforms }));
      return;
    }
    downloads += 1;
    if (downloads <= refusals) return void response.writeHead(403).end();
    response.setHeader("content-length", release.content.length);
    response.write(release.content.subarray(0, half));
    let sent = half;
    const drip = setInterval(() => response.write(release.content.subarray(sent, (sent += 100))), 100);
    void Promise.resolve(hold).then(() => {
      clearInterval(drip);
      response.end(release.content.subarray(sent));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, stop, downloads: () => downloads };
}
