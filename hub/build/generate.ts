import { readFileSync } from "node:fs";
import path from "node:path";
import { integrationDocument, operatorDocument, terminalDocument } from "./openapi-documents.ts";

const root = path.resolve(import.meta.dirname, "../..");

/**
 * The OpenAPI documents by their path below the repository, from the route tables and the schemas that validate, for the
 * version in VERSION.
 */
export function generatedFiles(): Record<string, string> {
  const version = readFileSync(path.join(root, "VERSION"), "utf8").trim();
  const documents = {
    "docs/openapi.json": integrationDocument(version),
    "docs/terminal-api.json": terminalDocument(version),
    "docs/operator-api.json": operatorDocument(version),
  };
  return Object.fromEntries(
    Object.entries(documents).map(([name, document]) => [name, `${JSON.stringify(document, null, 2)}\n`]),
  );
}
