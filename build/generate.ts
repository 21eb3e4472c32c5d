// `npm run generate`: writes everything that is derived from the schemas and the tables of routes and settings. With
// --check it writes nothing and fails when a file is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as client from "../clients/integration/build/generate.ts";
import * as hub from "../hub/build/generate.ts";
import { withAuthorization } from "../protocol/build/authorization-document.ts";
import * as protocol from "../protocol/build/generate.ts";
import { textsDocument } from "./texts-document.ts";

const root = path.resolve(import.meta.dirname, "..");
const version = readFileSync(path.join(root, "VERSION"), "utf8").trim();
const ofHub = hub.generatedFiles();
const files = Object.entries({
  ...protocol.generatedFiles(version),
  ...ofHub,
  ...(await client.generatedFiles(ofHub["docs/openapi.json"] ?? "")),
  "docs/security.md": withAuthorization(readFileSync(path.join(root, "docs/security.md"), "utf8")),
  "docs/texts.md": textsDocument(),
});
const stale = files.filter(([name, content]) => {
  const file = path.join(root, name);
  return !existsSync(file) || readFileSync(file, "utf8") !== content;
});

if (process.argv.includes("--check")) {
  if (stale.length > 0) {
    console.error(`Stale: ${stale.map(([name]) => name).join(", ")}. Run npm run generate and commit the result.`);
    process.exit(1);
  }
  console.log("generated files are current");
} else {
  for (const [name, content] of stale) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
  console.log(`generated ${stale.length} of ${files.length} files anew`);
}
