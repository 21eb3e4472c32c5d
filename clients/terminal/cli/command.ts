import type { Mutation, Terminal } from "@comanda/terminal";
import type { Menu } from "@comanda/terminal/node";

/** What a command works with. `menu` is null when the back-office could not be reached. */
export interface CommandContext {
  terminal: Terminal;
  menu: Menu | null;
  print(text: string): void;
}

export interface Command {
  /** How it is typed, after its name. */
  usage: string;
  help: string;
  /** Answers the mutation that it made, if any; its failure is printed. */
  run(context: CommandContext, words: string[]): Mutation | void | Promise<void>;
}
