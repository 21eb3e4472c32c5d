import { readFileSync } from "node:fs";
import path from "node:path";
import { integrationDocument, operatorDocument, terminalDocument } from "./openapi-documents.ts";

/** Returns the OpenAPI documents, made from the route tables and validation schemas, for the version in VERSION. */
export function apiDocuments(): Record<"integration" | "terminal" | "operator", string> {
  const version = readFileSync(path.resolve(import.meta.dirname, "../../VERSION"), "utf8").trim();
  const text = (document: object) => `${JSON.stringify(document, null, 2)}\n`;
  return {
    integration: text(integrationDocument(version)),
    terminal: text(terminalDocument(version)),
    operator: text(operatorDocument(version)),
  };
}
