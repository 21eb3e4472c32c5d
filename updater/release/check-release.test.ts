import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { makeKey } from "../test/make-signature.ts";
import { checkAssets, checkReady } from "./check-release.ts";

const key = makeKey();
const channel = { proxyUrl: "https://updates.example", publicKeys: [key.publicKey] };

it.each([
  ["v1.4.0", channel, []],
  ["v1.4.1", channel, ["the tag is v1.4.1, but VERSION says 1.4.0: it would have to be v1.4.0"]],
  ["1.4.0", channel, ["the tag is 1.4.0, but VERSION says 1.4.0: it would have to be v1.4.0"]],
  [
    "v1.4.0",
    { ...channel, publicKeys: [] },
    ["updater/client/release-channel.ts names no proxy or no key: this release could never be updated"],
  ],
  [
    "v1.4.0",
    { ...channel, proxyUrl: "http://updates.example" },
    ["the update proxy's address is http://updates.example; it must be https"],
  ],
  ["v1.4.0", { ...channel, publicKeys: ["nonsense"] }, ["nonsense… among the public keys is none"]],
])("the release of tag %s is checked [UPD-90]", (tag, releaseChannel, problems) => {
  expect(checkReady(tag, "1.4.0", releaseChannel)).toEqual(problems);
});

it("assets are accepted only if installed clients would accept them [UPD-91]", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "comanda-assets-"));
  const add = async (suffix: string, comment: (name: string) => string, signer = key) => {
    const name = `comanda-hub_1.4.0${suffix}`;
    await writeFile(path.join(folder, name), name);
    await writeFile(path.join(folder, `${name}.sig`), signer.sign(Buffer.from(name), comment(name)));
  };
  const good = (name: string) => `timestamp:1\tfile:${name}\tversion:1.4.0`;
  const suffixes = [
    "_x64-setup.exe",
    "_x64_en-US.msi",
    "_amd64.AppImage",
    "_aarch64.AppImage",
    "_x86_64.dmg",
    "_aarch64.dmg",
  ];
  for (const suffix of suffixes) await add(suffix, good);
  expect(await checkAssets(folder, "1.4.0", [key.publicKey])).toEqual([]);

  await rm(path.join(folder, "comanda-hub_1.4.0_x64_en-US.msi"));
  await rm(path.join(folder, "comanda-hub_1.4.0_amd64.AppImage.sig"));
  await add("_x64-setup.exe", (name) => `file:${name}\tversion:1.3.0`);
  await add("_aarch64.AppImage", () => "file:other\tversion:1.4.0");
  await add("_x86_64.dmg", good, makeKey());
  expect((await checkAssets(folder, "1.4.0", [key.publicKey])).sort()).toEqual([
    "comanda-hub_1.4.0_aarch64.AppImage is signed as other",
    expect.stringMatching(/^comanda-hub_1\.4\.0_amd64\.AppImage: ENOENT/),
    "comanda-hub_1.4.0_x64-setup.exe is signed as version 1.3.0, not 1.4.0",
    "comanda-hub_1.4.0_x86_64.dmg: The signature was created with a different key than the one provided",
    "there is no installer for windows-x86_64-msi",
  ]);
  await rm(folder, { recursive: true });
});
