// `npm run generate`: writes all files that are derived from the schemas and the tables of routes, settings and texts: some are
// committed, the rest go to dist/docs. With --check it writes nothing and fails if a committed file is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { apiTypes } from "../clients/integration/build/api-types.ts";
import { apiDocuments } from "../hub/build/api-documents.ts";
import { withAuthorization } from "../protocol/build/authorization-document.ts";
import * as protocol from "../protocol/build/generate.ts";
import { readCommandLine } from "./command-line.ts";
import { textsDocument } from "./texts-document.ts";

const usage = `npm run generate -- [--check]

  --check   writes nothing, and fails when a committed file is stale`;
const { values } = readCommandLine(usage, { options: { check: { type: "boolean" } } });

const root = path.resolve(import.meta.dirname, "..");
const version = readFileSync(path.join(root, "VERSION"), "utf8").trim();
const openApi = apiDocuments();
const committed = {
  ...protocol.generatedFiles(version),
  "docs/openapi.json": openApi.integration,
  "clients/integration/src/api.ts": apiTypes(openApi.integration),
  "docs/security.md": withAuthorization(readFileSync(path.join(root, "docs/security.md"), "utf8")),
};
const formats = {
  "dist/docs/terminal-api.json": openApi.terminal,
  "dist/docs/operator-api.json": openApi.operator,
  "dist/docs/texts.md": textsDocument(),
};

function staleOf(files: Record<string, string>): [name: string, content: string][] {
  return Object.entries(files).filter(([name, content]) => {
    const file = path.join(root, name);
    return !existsSync(file) || readFileSync(file, "utf8") !== content;
  });
}

if (values.check === true) {
  const stale = staleOf(committed);
  if (stale.length > 0) {
    console.error(`Stale: ${stale.map(([name]) => name).join(", ")}. Run npm run generate and commit the result.`);
    process.exit(1);
  }
  console.log("generated files are current");
} else {
  for (const [name, content] of staleOf({ ...committed, ...formats })) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
    console.log(`generated ${name}`);
  }
}
