import { callHub } from "../../../lib/hub-client.ts";

export function forgetTerminal(terminalId: string) {
  return callHub("forgetTerminal", { params: { terminalId } });
}
