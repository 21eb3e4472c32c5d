/** How a command ended, by the numbers of sysexits where they have one. */
export const exitCode = { done: 0, failed: 1, usage: 2, tryLater: 75 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** A command that cannot go on: one sentence for the person who gave it. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exitCode: ExitCode;

  constructor(code: ExitCode, message: string) {
    super(message);
    this.exitCode = code;
  }
}

/** What a command found or did: `json` for programs, `lines` for people. */
export interface Report {
  json: unknown;
  lines: string[];
  exitCode?: ExitCode;
}
