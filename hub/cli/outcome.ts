/** Exit codes of commands; 75 is EX_TEMPFAIL of sysexits. */
export const exitCode = { done: 0, failed: 1, usage: 2, tryLater: 75 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** A failed command; its message is one sentence for the person at the command line. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(code: ExitCode, message: string) {
    super(message);
    this.exitCode = code;
  }
}

/** The result of a command: `json` for programs, `lines` for people. */
export interface Report {
  json: unknown;
  lines: string[];
  exitCode?: ExitCode;
}
