import { z } from "zod";
import { HubMessage, TerminalMessage } from "../src/terminal.ts";

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
        "One JSON object per WebSocket text frame; a terminal with the capability `batch` may also get an array of messages. Generated from the schemas of the protocol package.",
    },
    servers: { hub: { host: "{host}:{port}", protocol: "ws", variables: { host: {}, port: { default: "8766" } } } },
    defaultContentType: "application/json",
    channels: {
      terminal: {
        address: "/",
        title: "A terminal's connection",
        description: "One WebSocket for each terminal, which begins with AUTH.",
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

type Option = z.ZodType & { shape: { type: { values: Set<unknown> } } };

function messagesOf(options: readonly Option[]): [string, z.ZodType][] {
  return options.map((option) => [String([...option.shape.type.values][0]), option]);
}

function message(type: string, schema: z.ZodType): object {
  // As it goes over the wire; rules that JSON Schema cannot say are left to the text.
  const { $schema: _, ...payload } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return { name: type, payload };
}
