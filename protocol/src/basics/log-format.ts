/** A program that writes its own log. */
export type LoggingProgram = "hub" | "desktop-app" | "backoffice" | "update-proxy" | "headquarters";

/** Keys whose values are never logged, at the top level or one level deep. */
const SECRETS = ["token", "password", "secret", "authorization"];

/**
 * Returns pino options for the log format of every program: JSON with `level` as a word, `time` in ISO 8601, `program`, the
 * facts, and `msg` last. Secrets are redacted.
 */
export function logFormat(program: LoggingProgram) {
  return {
    base: { program },
    formatters: { level: (level: string) => ({ level }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
  };
}
