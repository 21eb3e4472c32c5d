import { lstatSync, realpathSync } from "node:fs";
import { parseEnv } from "node:util";
import { envText } from "@comanda/protocol/file-text.ts";
import { readIfThere, replacePrivate } from "../db/files/private-files.ts";
import { messageOf } from "../platform/error-facts.ts";
import { StartError } from "../platform/errors.ts";

export type EnvValues = Readonly<Record<string, string | undefined>>;

/** The variables of an `.env` file; none when there is no such file. */
export function readEnvFile(file: string): EnvValues {
  return parseEnv(textOf(file));
}

function textOf(file: string): string {
  try {
    const bytes = readIfThere(file);
    return bytes === null ? "" : envText(bytes);
  } catch (error) {
    throw new StartError("setting", `The settings file ${file} cannot be read: ${messageOf(error)}.`);
  }
}

/** Sets lines of an `.env` file, null removes one. Every other line stays as it is. */
export function changeEnvFile(file: string, values: Readonly<Record<string, string | null>>): void {
  const kept = entriesOf(textOf(file)).filter((line) => !Object.keys(values).some((name) => isLineOf(line, name)));
  while (kept.at(-1) === "") kept.pop();
  const lines = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [`${name}=${quote(value)}`]));
  // What a link leads to is replaced, not the link.
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  replacePrivate(isLink ? realpathSync(file) : file, `${[...kept, ...lines].join("\n")}\n`);
}

/** Whether a value can be written to an `.env` file and read back as the same. */
export function fitsEnvFile(value: string): boolean {
  return !/[\n\r\0]/.test(value) && parseEnv(`X=${quote(value)}`)["X"] === value;
}

/** Quotes only what would not be read back as it is. */
function quote(value: string): string {
  if (/^[\w@:/.,+-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  // Between double quotes `\n` would become a line break.
  return value.includes('"') ? `\`${value}\`` : `"${value}"`;
}

/** The lines of a file, those of a value in quotes that goes over several of them together. */
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
