import { lstatSync, realpathSync } from "node:fs";
import { parseEnv } from "node:util";
import { envText } from "@comanda/protocol/file-text.ts";
import { readIfPresent, replacePrivate } from "../db/files/private-files.ts";
import { messageOf } from "../platform/error-facts.ts";
import { StartError } from "../platform/errors.ts";

export type EnvValues = Readonly<Record<string, string | undefined>>;

/** Reads the variables of an `.env` file. Returns none if the file does not exist. */
export function readEnvFile(file: string): EnvValues {
  return parseEnv(textOf(file));
}

function textOf(file: string): string {
  try {
    const bytes = readIfPresent(file);
    return bytes === null ? "" : envText(bytes);
  } catch (error) {
    throw new StartError("setting", `The settings file ${file} cannot be read: ${messageOf(error)}.`);
  }
}

/** Sets lines of an `.env` file; null removes one. All other lines stay unchanged. */
export function changeEnvFile(file: string, values: Readonly<Record<string, string | null>>): void {
  const retained = entriesOf(textOf(file)).filter((line) => !Object.keys(values).some((name) => isLineOf(line, name)));
  while (retained.at(-1) === "") retained.pop();
  const lines = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [`${name}=${quote(value)}`]));
  // Replaces the target of a link, not the link.
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  replacePrivate(isLink ? realpathSync(file) : file, `${[...retained, ...lines].join("\n")}\n`);
}

/** Whether a value can be written to an `.env` file and read back unchanged. */
export function fitsEnvFile(value: string): boolean {
  return !/[\n\r\0]/.test(value) && parseEnv(`X=${quote(value)}`)["X"] === value;
}

/** Quotes only values that would otherwise be read back differently. */
function quote(value: string): string {
  if (/^[\w@:/.,+-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  // Between double quotes `\n` would become a line break.
  return value.includes('"') ? `\`${value}\`` : `"${value}"`;
}

/** Splits a file into entries. A quoted value over several lines is one entry. */
function entriesOf(text: string): string[] {
  const entries: string[] = [];
  const lines = text.split("\n");
  while (lines.length > 0) {
    const first = lines.shift() ?? "";
    const [, quote, rest = ""] = /^\s*(?:export\s+)?[\w.-]+\s*=\s*(['"`])(.*)/.exec(first) ?? [];
    const open = quote === undefined || rest.includes(quote) ? null : quote;
    const end = open === null ? -1 : lines.findIndex((line) => line.includes(open));
    entries.push([first, ...lines.splice(0, end + 1)].join("\n"));
  }
  return entries;
}

function isLineOf(line: string, name: string): boolean {
  return new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line);
}
