/** An update that must not be used, or an answer that cannot be trusted. The message is for the operator. */
export class UpdateRefused extends Error {
  override name = "UpdateRefused";
}

/** The pre-signed address has expired; a repeated check returns a new one. */
export class AddressExpired extends UpdateRefused {
  override name = "AddressExpired";

  constructor() {
    super("The download address has expired.");
  }
}
