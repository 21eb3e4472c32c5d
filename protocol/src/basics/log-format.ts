/** A program that writes a log of its own. */
export type LoggingProgram = "hub" | "desktop-app" | "backoffice" | "update-proxy" | "headquarters";

/** What is never logged, wherever it stands in a line's facts. */
const SECRETS = ["token", "password", "secret", "authorization"];

/**
 * The form of the log lines of every program, as options for pino: JSON with `level` as a word, `time` in ISO 8601, `program`,
 * the facts, and `msg` last. Secrets are redacted.
 */
export function logFormat(program: LoggingProgram) {
  return {
    base: { program },
    formatters: { level: (level: string) => ({ level }) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
  };
}
