import { createTransport, type TransportOptions } from "./transport.ts";
import type { CreateKey } from "./types.ts";

export interface KeyAdministrationOptions extends TransportOptions {
  /** The back-office session of a manager. */
  managerToken: string;
}

/** Creates and deletes API keys on behalf of a manager. */
export function createKeyAdministration({ managerToken, ...options }: KeyAdministrationOptions) {
  const call = createTransport(options, { authorization: `Bearer ${managerToken}` });
  return {
    list: async () => (await call("listKeys")).keys,
    /** Returns the token, which is not readable later. */
    create: (body: CreateKey) => call("createKey", { body }),
    setEnabled: (keyId: string, enabled: boolean) => call("updateKey", { params: { keyId }, body: { enabled } }),
    delete: (keyId: string) => call("deleteKey", { params: { keyId } }),
  };
}
