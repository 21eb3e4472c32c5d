// Writes the OpenAPI documents and the page that shows the integration API, from the route tables and the schemas that
// validate. With --check it writes nothing and fails when a file is stale.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { docsPage } from "./docs-page.ts";
import { integrationDocument, operatorDocument } from "./openapi-documents.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** The generated files, by their path below the repository, for the version in VERSION. */
export function generatedFiles(): Record<string, string> {
  const version = readFileSync(path.join(root, "VERSION"), "utf8").trim();
  const integration = integrationDocument(version);
  return {
    "docs/openapi.json": `${JSON.stringify(integration, null, 2)}\n`,
    "docs/openapi.html": docsPage(integration),
    "docs/operator-api.json": `${JSON.stringify(operatorDocument(version), null, 2)}\n`,
  };
}

if (import.meta.main) {
  for (const [name, content] of Object.entries(generatedFiles())) {
    const file = path.join(root, name);
    if (existsSync(file) && readFileSync(file, "utf8") === content) continue;
    if (!process.argv.includes("--check")) writeFileSync(file, content);
    else {
      process.stderr.write(`${name} is stale: run npm run generate and commit it.\n`);
      process.exitCode = 1;
    }
  }
}
