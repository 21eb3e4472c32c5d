import { readFileSync } from "node:fs";
import path from "node:path";
import { docsPage } from "./docs-page.ts";
import { integrationDocument, operatorDocument, terminalDocument } from "./openapi-documents.ts";

const root = path.resolve(import.meta.dirname, "../..");

/**
 * The OpenAPI documents and the pages that show what others write against, by their path below the repository, from the route
 * tables and the schemas that validate, for the version in VERSION.
 */
export function generatedFiles(): Record<string, string> {
  const version = readFileSync(path.join(root, "VERSION"), "utf8").trim();
  const integration = integrationDocument(version);
  const terminal = terminalDocument(version);
  return {
    "docs/openapi.json": `${JSON.stringify(integration, null, 2)}\n`,
    "docs/openapi.html": docsPage(integration, "/external/openapi.json"),
    "docs/terminal-api.json": `${JSON.stringify(terminal, null, 2)}\n`,
    "docs/terminal-api.html": docsPage(terminal, "/terminal/v1/openapi.json"),
    "docs/operator-api.json": `${JSON.stringify(operatorDocument(version), null, 2)}\n`,
  };
}
