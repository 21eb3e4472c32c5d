const messages = {
  KEY_MISMATCH: "The signature was created with a different key than the one provided",
  INVALID: "The signature verification failed",
  LEGACY: "Unexpected signature algorithm",
  ALGORITHM: "This signature algorithm is not supported by this implementation",
  ENCODING: "Invalid encoding in minisign data",
} as const;

export type SignatureRefusal = keyof typeof messages;

/** A signature that is not trusted. `detail` names the key ids if they differ. */
export class SignatureRefused extends Error {
  override name = "SignatureRefused";
  readonly reason: SignatureRefusal;
  readonly detail: string | undefined;

  constructor(reason: SignatureRefusal, detail?: string) {
    super(messages[reason]);
    this.reason = reason;
    this.detail = detail;
  }
}
