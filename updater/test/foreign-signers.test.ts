// @module-tag long
// Checks signatures between our signer (build/) and verifier (client/) and two third-party tools:
// Debian's minisign and the Tauri signer.
import { randomBytes } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifySignature } from "../client/verify-signature.ts";
import { requireSystemPackage, runSign, runTool, tauri } from "./system-tool.ts";

const folder = mkdtempSync(path.join(tmpdir(), "comanda-signers-"));
const at = (name: string) => path.join(folder, name);
const read = (name: string) => readFileSync(at(name), "utf8");
const installer = at("comanda-hub_1.4.0_x64-setup.exe");

beforeAll(() => {
  requireSystemPackage("minisign");
  writeFileSync(installer, randomBytes(3_000_000));
});
afterAll(() => rmSync(folder, { recursive: true }));

function changed(file: string): string {
  const content = readFileSync(file);
  content[1_234_567]! ^= 1;
  writeFileSync(at("bent.exe"), content);
  return at("bent.exe");
}

describe("foreign signatures", () => {
  it("a file signed by the Tauri signer with an encrypted key is accepted [UPD-40]", async () => {
    runTool(tauri, ["signer", "generate", "--ci", "-p", "a password", "-w", at("tauri.key")]);
    runTool(tauri, ["signer", "sign", "-f", at("tauri.key"), "-p", "a password", "--app-version", "1.4.0", installer]);
    const signature = read(`${path.basename(installer)}.sig`);
    const verified = await verifySignature(installer, signature, [read("tauri.key.pub")]);
    expect(verified).toMatchObject({ version: "1.4.0", fileName: path.basename(installer) });
    await expect(verifySignature(changed(installer), signature, [read("tauri.key.pub")])).rejects.toMatchObject({
      reason: "INVALID",
    });
  });

  it("a file signed by minisign is accepted [UPD-40]", async () => {
    runTool("minisign", ["-G", "-W", "-p", at("m.pub"), "-s", at("m.key")]);
    runTool("minisign", [
      "-S",
      "-s",
      at("m.key"),
      "-m",
      installer,
      "-x",
      at("m.minisig"),
      "-t",
      "file:x.exe\tversion:1.4.0",
    ]);
    const verified = await verifySignature(installer, read("m.minisig"), [read("m.pub")]);
    expect(verified).toMatchObject({ version: "1.4.0", fileName: "x.exe" });
    await expect(verifySignature(changed(installer), read("m.minisig"), [read("m.pub")])).rejects.toMatchObject({
      reason: "INVALID",
    });
  });

  it("a file signed in minisign's older form, without hashing, is refused [UPD-41]", async () => {
    runTool("minisign", ["-G", "-W", "-p", at("l.pub"), "-s", at("l.key")]);
    runTool("minisign", ["-S", "-l", "-s", at("l.key"), "-m", installer, "-x", at("l.minisig")]);
    await expect(verifySignature(installer, read("l.minisig"), [read("l.pub")])).rejects.toMatchObject({
      reason: "LEGACY",
    });
  });
});

describe("own signatures", () => {
  /** Returns what minisign itself says about our `.sig`, once unwrapped from base64. */
  function minisignVerifies(file: string, publicKey: string): string {
    writeFileSync(at("ours.minisig"), Buffer.from(readFileSync(`${file}.sig`, "utf8"), "base64"));
    writeFileSync(at("ours.pub"), Buffer.from(publicKey, "base64"));
    return runTool("minisign", ["-V", "-H", "-p", at("ours.pub"), "-x", at("ours.minisig"), "-m", file]);
  }

  it.each([
    ["unencrypted", {}],
    ["encrypted", { UPDATE_SIGNING_KEY_PASSWORD: "a password" }],
  ] as [string, Record<string, string>][])(
    "minisign verifies what npm run sign signs with a key of its own, %s [UPD-50]",
    async (name, env) => {
      runSign(["--generate", at(name)], env);
      runSign(["--version", "1.4.0", installer], { UPDATE_SIGNING_KEY_FILE: at(`${name}.key`), ...env });
      expect(minisignVerifies(installer, read(`${name}.pub`))).toContain(
        `file:${path.basename(installer)}\tversion:1.4.0\tsize:3000000`,
      );
      const verified = await verifySignature(installer, readFileSync(`${installer}.sig`, "utf8"), [
        read(`${name}.pub`),
      ]);
      expect(verified).toMatchObject({ version: "1.4.0", fileName: path.basename(installer), sizeBytes: 3_000_000 });
    },
  );

  it("npm run sign uses a key made by Tauri, and Tauri signs with our key [UPD-50]", async () => {
    const env = { UPDATE_SIGNING_KEY_PASSWORD: "a password" };
    runTool(tauri, ["signer", "generate", "--ci", "-p", "a password", "-w", at("theirs.key")]);
    runSign(["--version", "1.4.0", installer], { UPDATE_SIGNING_KEY: read("theirs.key"), ...env });
    expect(minisignVerifies(installer, read("theirs.key.pub"))).toContain("version:1.4.0");

    runSign(["--generate", at("swapped")], env);
    runTool(tauri, ["signer", "sign", "-f", at("swapped.key"), "-p", "a password", installer]);
    await verifySignature(installer, readFileSync(`${installer}.sig`, "utf8"), [read("swapped.pub")]);
  });

  it("npm run sign uses a key made by minisign, and minisign signs with our key [UPD-50]", async () => {
    runTool("minisign", ["-G", "-W", "-p", at("made.pub"), "-s", at("made.key")]);
    runSign(["--version", "1.4.0", installer], { UPDATE_SIGNING_KEY_FILE: at("made.key") });
    expect(minisignVerifies(installer, Buffer.from(read("made.pub")).toString("base64"))).toContain(
      "Signature and comment signature verified",
    );

    runSign(["--generate", at("lent")]);
    writeFileSync(at("lent.minisign.key"), Buffer.from(read("lent.key"), "base64"));
    runTool("minisign", ["-S", "-s", at("lent.minisign.key"), "-m", installer, "-x", at("lent.minisig")]);
    await verifySignature(installer, read("lent.minisig"), [read("lent.pub")]);
  });

  it("npm run sign refuses an installer whose name has another version [UPD-50]", () => {
    runSign(["--generate", at("named")]);
    const env = { UPDATE_SIGNING_KEY_FILE: at("named.key") };
    rmSync(`${installer}.sig`, { force: true });
    for (const version of ["1.4.1", "1.4.0-beta.1"]) {
      expect(() => runSign(["--version", version, installer], env)).toThrow(
        `${path.basename(installer)} is of version 1.4.0, not ${version}; name its version with --version.`,
      );
    }
    expect(() => readFileSync(`${installer}.sig`)).toThrow("ENOENT");
  });

  it("npm run sign signs only the installers of a folder [UPD-51]", () => {
    const release = mkdtempSync(path.join(folder, "release-"));
    for (const name of ["a_x64-setup.exe", "a_x64_en-US.msi", "a_amd64.AppImage", "a_aarch64.dmg", "notes.txt"]) {
      copyFileSync(installer, path.join(release, name));
    }
    runSign(["--generate", at("folder")]);
    const output = runSign([release], { UPDATE_SIGNING_KEY_FILE: at("folder.key") });
    expect(output.match(/^signed /gm)).toHaveLength(4);
    expect(() => readFileSync(path.join(release, "notes.txt.sig"))).toThrow("ENOENT");
  });

  it("npm run sign refuses a missing, locked, untrusted or repository key in one sentence [UPD-52]", () => {
    const env = { UPDATE_SIGNING_KEY_FILE: at("own.key"), UPDATE_SIGNING_KEY_PASSWORD: "right" };
    runSign(["--generate", at("own")], env);
    runSign(["--generate", at("other")]);
    const refused = (args: string[], settings: Record<string, string>) => () =>
      runSign(["--version", "1.4.0", ...args], settings);
    expect(refused([installer], {})).toThrow("No key to sign with; set UPDATE_SIGNING_KEY or UPDATE_SIGNING_KEY_FILE.");
    expect(refused([installer], { ...env, UPDATE_SIGNING_KEY_PASSWORD: "wrong" })).toThrow(
      "the password is wrong or the file is damaged",
    );
    expect(refused([installer], { ...env, UPDATE_SIGNING_KEY_PASSWORD: "" })).toThrow(
      "set UPDATE_SIGNING_KEY_PASSWORD",
    );
    expect(refused([installer], { UPDATE_SIGNING_KEY: "nonsense" })).toThrow("no minisign secret key");
    expect(refused(["--generate", path.join(import.meta.dirname, "mine")], {})).toThrow("which is in the repository");
    expect(refused(["--generate", at("own")], {})).toThrow("exists already");
    expect(refused(["--trusted-by", at("other.pub"), installer], env)).toThrow(
      "installed clients would refuse this release",
    );
    expect(runSign(["--version", "1.4.0", "--trusted-by", at("own.pub"), installer], env)).toContain("signed");
  });
});
