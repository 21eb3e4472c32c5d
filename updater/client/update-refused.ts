/** An update that must not be used, or a source that cannot be believed. The message is for the operator. */
export class UpdateRefused extends Error {
  override name = "UpdateRefused";
}

/** The pre-signed address is over: a repeated check gives a new one. */
export class AddressExpired extends UpdateRefused {
  override name = "AddressExpired";

  constructor() {
    super("The download address has expired.");
  }
}
