// `npm run sign`: signs installers and creates the keys for it. Never prints any part of a key or password.
import { existsSync, readFileSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { showKeyId } from "../updater/minisign/parse-minisign.ts";
import { readCommandLine } from "./command-line.ts";
import {
  BadKey,
  type SecretKey,
  generateSecretKey,
  readSecretKey,
  writePublicKey,
  writeSecretKey,
} from "./signing/secret-key.ts";
import { signFile } from "./signing/sign-file.ts";

const root = path.resolve(import.meta.dirname, "..");
const usage = `npm run sign -- [--version 1.4.0] [--trusted-by KEYS] FILE|FOLDER …   writes a .sig beside every installer
npm run sign -- --generate NAME                                      makes NAME.key and NAME.pub outside the repository

The key comes from UPDATE_SIGNING_KEY (its content) or UPDATE_SIGNING_KEY_FILE (a path outside the repository), its
password, where it has one, from UPDATE_SIGNING_KEY_PASSWORD.`;
const installers = [".exe", ".msi", ".AppImage", ".dmg"];

try {
  const { values, positionals } = readCommandLine(usage, {
    options: { generate: { type: "string" }, version: { type: "string" }, "trusted-by": { type: "string" } },
    allowPositionals: true,
  });
  if (values.generate !== undefined) generate(values.generate);
  else
    await signAll(
      positionals,
      values.version ?? readFileSync(path.join(root, "VERSION"), "utf8").trim(),
      values["trusted-by"],
    );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function signAll(targets: string[], version: string, trustedBy: string | undefined): Promise<void> {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    throw new BadKey(`"${version}" is not a version; allowed is for example 1.4.0.`);
  const files = targets.flatMap(installersIn);
  if (files.length === 0)
    throw new BadKey(`There is nothing to sign; name files, or folders with ${installers.join(", ")} files in them.`);
  for (const file of files) refuseOtherVersion(path.basename(file), version);
  const secret = loadKey();
  if (trustedBy !== undefined) refuseUntrusted(secret, readFileSync(trustedBy, "utf8"), trustedBy);
  for (const file of files) {
    writeFileSync(`${file}.sig`, await signFile(file, version, secret, Math.floor(Date.now() / 1000)));
    console.log(`signed ${file} as version ${version} with key ${showKeyId(secret.keyId)}`);
  }
}

function installersIn(target: string): string[] {
  if (!existsSync(target)) throw new BadKey(`${target} does not exist.`);
  if (!statSync(target).isDirectory()) return [target];
  const names = readdirSync(target).filter((name) => installers.includes(path.extname(name)));
  return names.sort().map((name) => path.join(target, name));
}

/** Throws if the file name has another version: it is published as that, but clients install the signature's version. */
function refuseOtherVersion(name: string, version: string): void {
  const named = /\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(?=_)/.exec(name)?.[0];
  if (named === undefined || named === version) return;
  throw new BadKey(`${name} is of version ${named}, not ${version}; name its version with --version.`);
}

function loadKey(): SecretKey {
  const password = process.env["UPDATE_SIGNING_KEY_PASSWORD"] || undefined;
  const content = process.env["UPDATE_SIGNING_KEY"];
  if (content !== undefined && content !== "") return readSecretKey(content, password);
  const file = process.env["UPDATE_SIGNING_KEY_FILE"];
  if (file === undefined || file === "")
    throw new BadKey("No key to sign with; set UPDATE_SIGNING_KEY or UPDATE_SIGNING_KEY_FILE.");
  if (!existsSync(file)) throw new BadKey(`UPDATE_SIGNING_KEY_FILE is "${file}", which does not exist.`);
  refuseInsideRepository(file, "UPDATE_SIGNING_KEY_FILE");
  return readSecretKey(readFileSync(file, "utf8"), password);
}

/** Throws for an unknown key: installed clients trust only the previous release's keys, and could never update again. */
function refuseUntrusted(secret: SecretKey, keys: string, source: string): void {
  const ownKey = writePublicKey(secret);
  const keyLine = (text: string) => Buffer.from(text, "base64").toString("utf8").split("\n")[1] ?? text;
  const trusted = keys.split(/["\s,[\]]+/).filter((text) => text.length > 40);
  if (trusted.some((text) => keyLine(text) === keyLine(ownKey))) return;
  throw new BadKey(
    `Key ${showKeyId(secret.keyId)} is not among the keys of ${source}: installed clients would refuse this release.`,
  );
}

function generate(name: string): void {
  const [keyFile, publicFile] = [`${name}.key`, `${name}.pub`];
  refuseInsideRepository(keyFile, "--generate");
  for (const file of [keyFile, publicFile])
    if (existsSync(file)) throw new BadKey(`${file} exists already and is kept.`);
  const secret = generateSecretKey();
  const password = process.env["UPDATE_SIGNING_KEY_PASSWORD"] || undefined;
  writeFileSync(keyFile, writeSecretKey(secret, password), { mode: 0o600, flag: "wx" });
  writeFileSync(publicFile, writePublicKey(secret), { flag: "wx" });
  console.log(
    `key ${showKeyId(secret.keyId)}: ${keyFile} (${password === undefined ? "not encrypted" : "encrypted"}) and ${publicFile}`,
  );
}

function refuseInsideRepository(file: string, label: string): void {
  const folder = realpathSync(path.dirname(path.resolve(file)));
  const inside = path.relative(realpathSync(root), folder);
  if (!inside.startsWith("..") && !path.isAbsolute(inside)) {
    throw new BadKey(`${label} is "${file}", which is in the repository; keep keys elsewhere.`);
  }
}
