import type { Json } from "./emit-openapi.ts";

/**
 * The description of an API as one page that loads nothing but its style sheet: no script, no font, no image. `file` is
 * where the hub serves the document itself.
 */
export function docsPage(document: Json, file: string): string {
  const info = object(document["info"]);
  const operations = Object.entries(object(document["paths"])).flatMap(([path, methods]) =>
    Object.entries(object(methods)).map(([method, operation]) => ({ path, method, operation: object(operation) })),
  );
  const webhooks = Object.entries(object(document["webhooks"])).map(([event, item]) => [event, object(item)] as const);
  const schemas = Object.entries(object(object(document["components"])["schemas"]));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info["title"])}</title>
<link rel="stylesheet" href="/external/docs.css">
</head>
<body>
<main>
<h1>${escape(info["title"])} <small>${escape(info["version"])}</small></h1>
<p>${prose(info["description"])}</p>
<p>The same as a file for tools: <a href="${file}">openapi.json</a></p>
<nav aria-label="Endpoints"><ul>${operations
    .map(({ path, method, operation }) => {
      const id = escape(operation["operationId"]);
      return `<li><a href="#${id}"><code>${method.toUpperCase()} ${escape(path)}</code></a> ${prose(operation["summary"])}</li>`;
    })
    .join("")}</ul></nav>
${operations.map(({ path, method, operation }) => section(method, path, operation)).join("\n")}
${webhooks.length === 0 ? "" : "<h2>Webhook deliveries</h2>\n"}${webhooks
    .map(([event, { post }]) => `<h3>${escape(event)}</h3>${bodyOf("Sent", object(post)["requestBody"])}`)
    .join("\n")}
<h2>Schemas</h2>
${schemas.map(([name, schema]) => `<section id="schema-${escape(name)}"><h3>${escape(name)}</h3>${json(schema)}</section>`).join("\n")}
</main>
</body>
</html>
`;
}

function section(method: string, path: string, operation: Json): string {
  return `<section id="${escape(operation["operationId"])}">
<h2><code>${method.toUpperCase()} ${escape(path)}</code></h2>
<p>${prose(operation["summary"])} ${prose(operation["description"])}</p>
${bodyOf("Body", operation["requestBody"])}
${Object.entries(object(operation["responses"]))
  .map(([status, response]) => bodyOf(status, response))
  .join("\n")}
</section>`;
}

function bodyOf(title: string, part: unknown): string {
  if (part === undefined) return "";
  const { description, content } = object(part);
  const { schema, example } = object(object(content)["application/json"]);
  const about = description === undefined ? "" : `: ${prose(description)}`;
  const heading = `<h4>${escape(title)}${about}</h4>`;
  const reference = object(schema)["$ref"];
  const name = typeof reference === "string" ? (reference.split("/").at(-1) ?? "") : "";
  const link = name === "" ? "" : `<p><a href="#schema-${escape(name)}">${escape(name)}</a></p>`;
  return heading + link + (example === undefined ? "" : json(example));
}

function json(value: unknown): string {
  return `<pre tabindex="0">${escape(JSON.stringify(value, null, 2))}</pre>`;
}

function prose(value: unknown): string {
  return escape(value).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function escape(value: unknown): string {
  const text = typeof value === "string" ? value : "";
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
