import { z } from "zod";
import { CloseCode, HubMessage, hubLimits, TerminalMessage, terminalLimits } from "../src/terminal.ts";

/** The terminal protocol as AsyncAPI 3: what a terminal may send, and what the hub sends. */
export function asyncApi(version: string): object {
  const fromTerminal = messagesOf(TerminalMessage.options);
  const fromHub = messagesOf(HubMessage.options);
  const messages = Object.fromEntries([
    ...fromTerminal.map(([type, schema]) => [`terminal.${type}`, message(type, schema)] as const),
    ...fromHub.map(([type, schema]) => [`hub.${type}`, message(type, schema)] as const),
  ]);
  const references = (names: string[]) => names.map((name) => ({ $ref: `#/channels/terminal/messages/${name}` }));
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Comanda Hub terminal protocol",
      version,
      description:
        "One JSON object per WebSocket text frame; a terminal with the capability `batch` may also receive an array of messages. Generated from the schemas of the protocol package.",
    },
    servers: { hub: { host: "{host}:{port}", protocol: "ws", variables: { host: {}, port: { default: "8766" } } } },
    defaultContentType: "application/json",
    channels: {
      terminal: {
        address: "/",
        title: "A terminal's connection",
        description: `One WebSocket per terminal; the first message is AUTH.\n\n${endings()}\n\n${limits()}`,
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      receiveFromTerminal: {
        action: "receive",
        channel: { $ref: "#/channels/terminal" },
        messages: references(fromTerminal.map(([type]) => `terminal.${type}`)),
      },
      sendToTerminal: {
        action: "send",
        channel: { $ref: "#/channels/terminal" },
        messages: references(fromHub.map(([type]) => `hub.${type}`)),
      },
    },
    components: { messages },
  };
}

/** Why the hub closes a connection, as a list. */
function endings(): string {
  const reasons: Record<keyof typeof CloseCode, string> = {
    goingAway: "the hub is stopping; reconnect",
    unsupportedData: "a binary frame",
    policyViolation: "the terminal sent nothing for two heartbeats, read nothing for 30 s, or sent far too much",
    messageTooBig: `a frame above ${terminalLimits.frameBytes} bytes, or an AUTH above ${hubLimits.authFrameBytes}`,
    tryAgainLater: "too many connections; reconnect in a moment",
    unauthenticated: "a bad or ended session, a malformed AUTH, or none within 10 s; sign in again",
    forbidden: "the user is known, but not allowed to connect, or not from this device",
    replaced: "a newer connection uses the same deviceId; do not reconnect",
    protocolTooOld: "the version of the protocol or of the terminal is too old; update the terminal",
    backOfficeUnreachable: "the hub cannot verify the session now; reconnect later",
  };
  const lines = Object.entries(CloseCode)
    .toSorted(([, one], [, other]) => one - other)
    .map(([name, code]) => `- ${code}: ${reasons[name as keyof typeof CloseCode]}`);
  return ["The hub closes the connection with:", "", ...lines].join("\n");
}

/** What a terminal may hold, which no schema of a message says. */
function limits(): string {
  const { leasesPerTerminal, locksPerTerminal, openOrdersPerTerminal, orderContentBytes } = hubLimits;
  return [
    "A request beyond one of these limits is refused with LIMIT_REACHED (a larger order with PAYLOAD_TOO_LARGE); what exists already is kept:",
    "",
    `- leases per terminal: ${leasesPerTerminal}`,
    `- locked tables per terminal: ${locksPerTerminal}`,
    `- active orders last written by a terminal: ${openOrdersPerTerminal}`,
    `- bytes of an order's content, as JSON: ${orderContentBytes}`,
  ].join("\n");
}

type Option = z.ZodType & { shape: { type: { values: Set<unknown> } } };

function messagesOf(options: readonly Option[]): [string, z.ZodType][] {
  return options.map((option) => [String([...option.shape.type.values][0]), option]);
}

function message(type: string, schema: z.ZodType): object {
  // As it goes over the wire; rules that JSON Schema cannot say are left to the text.
  const { $schema: _, ...payload } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ jsonSchema }) {
      if (jsonSchema.multipleOf === undefined) return;
      // Most validators divide, and 0.29 / 0.01 is 28.999999999999996.
      jsonSchema.description = `a multiple of ${jsonSchema.multipleOf}`;
      delete jsonSchema.multipleOf;
    },
  });
  return { name: type, payload };
}
