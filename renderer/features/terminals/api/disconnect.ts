import { callHub } from "../../../lib/hub-client.ts";

export function disconnectTerminal(terminalId: string) {
  return callHub("disconnectTerminal", { params: { terminalId } });
}
