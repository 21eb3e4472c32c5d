// What the release workflow asks before and after building:
//   node updater/release/main.ts ready v1.4.0     may this tag be released?
//   node updater/release/main.ts verify FOLDER    would installed clients accept these assets?
import { readFileSync } from "node:fs";
import path from "node:path";
import { releaseChannel } from "../client/release-channel.ts";
import { checkAssets, checkReady } from "./check-release.ts";

const version = readFileSync(path.resolve(import.meta.dirname, "../../VERSION"), "utf8").trim();
const [command, argument] = process.argv.slice(2);

const problems = await answer();
for (const problem of problems) console.error(`- ${problem}`);
const result = `${problems.length} ${problems.length === 1 ? "problem" : "problems"}`;
console.log(`${command}: ${problems.length === 0 ? `version ${version} is good` : result}`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function answer(): Promise<string[]> {
  if (command === "ready" && argument !== undefined) return checkReady(argument, version, releaseChannel);
  if (command === "verify" && argument !== undefined) return checkAssets(argument, version, releaseChannel.publicKeys);
  return ["say ready TAG or verify FOLDER"];
}
