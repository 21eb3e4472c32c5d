// Writes docs/openapi.json from the schemas that validate. With --check it writes nothing and fails when the file is stale.
import { readFileSync, existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { openApiDocument } from "../http/external/openapi/open-api.ts";

export { openApiDocument };

const root = path.resolve(import.meta.dirname, "../..");
export const openApiFile = path.join(root, "docs/openapi.json");

/** The file's content for the version in VERSION. */
export function openApiText(): string {
  const version = readFileSync(path.join(root, "VERSION"), "utf8").trim();
  return `${JSON.stringify(openApiDocument(version), null, 2)}\n`;
}

if (import.meta.main) {
  const isCurrent = existsSync(openApiFile) && readFileSync(openApiFile, "utf8") === openApiText();
  if (process.argv.includes("--check")) {
    if (!isCurrent)
      process.stderr.write("docs/openapi.json is stale: run node hub/build/generate-openapi.ts and commit it.\n");
    process.exitCode = isCurrent ? 0 : 1;
  } else if (!isCurrent) writeFileSync(openApiFile, openApiText());
}
