import { unknownSettings } from "@comanda/protocol/unknown-settings.ts";
import { StartFailure } from "./start-failure.ts";

const names = ["BACKOFFICE_HOST", "BACKOFFICE_PORT", "BACKOFFICE_DB_PATH"] as const;
type Name = (typeof names)[number];

export interface Config {
  host: string;
  /** 0 means any free port. */
  port: number;
  dbPath: string;
}

/** Reads the `BACKOFFICE_…` variables; an empty one counts as unset. Throws a StartFailure that names a bad one. The warnings are for the log. */
export function readConfig(env: NodeJS.ProcessEnv): Config & { warnings: string[] } {
  return {
    host: text(env, "BACKOFFICE_HOST", "127.0.0.1", "a host name or an IP address"),
    port: port(env, "BACKOFFICE_PORT", 8069),
    dbPath: text(env, "BACKOFFICE_DB_PATH", "./backoffice.sqlite", "the path of a file"),
    warnings: unknownSettings(env, names),
  };
}

function text(env: NodeJS.ProcessEnv, name: Name, fallback: string, allowed: string): string {
  const value = env[name]?.trim() || fallback;
  if (value.includes("\0")) throw badSetting(name, value, allowed);
  return value;
}

function port(env: NodeJS.ProcessEnv, name: Name, fallback: number): number {
  const value = env[name]?.trim() || String(fallback);
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65535)
    throw badSetting(name, value, "a whole number from 0 to 65535");
  return Number(value);
}

function badSetting(name: string, value: string, allowed: string): StartFailure {
  return new StartFailure(`${name} is "${value}", but it must be ${allowed}.`);
}
