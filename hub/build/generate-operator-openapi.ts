// Writes docs/operator-api.json from the operator API's route table. With --check it writes nothing and fails when the file is stale.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { operatorOpenApi } from "./operator-openapi.ts";

const root = path.resolve(import.meta.dirname, "../..");
export const operatorApiFile = path.join(root, "docs/operator-api.json");

/** The file's content for the version in VERSION. */
export function operatorApiText(): string {
  const version = readFileSync(path.join(root, "VERSION"), "utf8").trim();
  return `${JSON.stringify(operatorOpenApi(version), null, 2)}\n`;
}

if (import.meta.main) {
  const isCurrent = existsSync(operatorApiFile) && readFileSync(operatorApiFile, "utf8") === operatorApiText();
  if (process.argv.includes("--check")) {
    if (!isCurrent) {
      process.stderr.write(
        "docs/operator-api.json is stale: run node hub/build/generate-operator-openapi.ts and commit it.\n",
      );
    }
    process.exitCode = isCurrent ? 0 : 1;
  } else if (!isCurrent) writeFileSync(operatorApiFile, operatorApiText());
}
