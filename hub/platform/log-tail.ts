import { foldText, LogEvent, type LogLevel, type LogLine } from "@comanda/protocol";

export type LogTail = ReturnType<typeof createLogTail>;

const levels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export interface LogSearch {
  level: LogLevel;
  component?: string | undefined;
  search?: string | undefined;
  limit: number;
}

/** Keeps the last log lines, already redacted, in memory. `component` is the package that logged a line. */
export function createLogTail(maxLines = 2_000) {
  const lines: string[] = [];
  const listeners = new Set<() => void>();

  return {
    /** Adds one line of pino's JSON. */
    write(text: string): void {
      lines.push(text);
      if (lines.length > maxLines) lines.shift();
      for (const listener of listeners) listener();
    },
    /** Returns the newest matching lines, newest last. */
    find({ level, component, search, limit }: LogSearch): LogLine[] {
      const folded = foldText(search ?? "");
      return lines
        .filter((text) => folded === "" || foldText(text).includes(folded))
        .flatMap((text) => readLine(text) ?? [])
        .filter((line) => isAtLeast(line.level, level) && (component === undefined || line.component === component))
        .slice(-limit);
    },
    /** Returns all kept lines as they were logged. */
    raw: (): string => lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`)).join(""),
    /** Returns the packages of the kept lines, in alphabetical order. */
    components: (): string[] => [...new Set(lines.flatMap((text) => readLine(text)?.component ?? []))].sort(),
    /** Calls `listener` after each new line until the returned function is called. */
    follow(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function isAtLeast(level: LogLevel, minimum: LogLevel): boolean {
  return levels.indexOf(level) >= levels.indexOf(minimum);
}

function readLine(text: string): LogLine | null {
  try {
    const { level, time, program: _, msg, component, event, ...facts } = JSON.parse(text) as Record<string, unknown>;
    return {
      at: String(time),
      level: levelOf(level),
      component: typeof component === "string" ? component : null,
      event: LogEvent.safeParse(event).data ?? null,
      message: typeof msg === "string" ? msg : "",
      facts: JSON.stringify(facts),
    };
  } catch {
    return null;
  }
}

/** Maps pino's level to one of the four that the screens know. */
function levelOf(level: unknown): LogLevel {
  if (level === "fatal") return "error";
  return levels.find((name) => name === level) ?? "debug";
}
