/** What a packaged app believes about updates. Part of the program: neither the environment nor a page can change it. */
export interface ReleaseChannel {
  /** Base address of the update proxy. */
  proxyUrl: string;
  /**
   * The public keys whose signatures are accepted, each the content of a `.pub` file. One key, or two while a rotation is
   * under way: the release that introduces a new key is still signed with the old one and embeds both.
   */
  publicKeys: readonly string[];
}

/** Empty until the first release is prepared (docs/releasing.md): a client without keys makes no checks. */
export const releaseChannel: ReleaseChannel = { proxyUrl: "", publicKeys: [] };

/** Whether there is a channel to ask. */
export function hasChannel({ proxyUrl, publicKeys }: ReleaseChannel): boolean {
  return proxyUrl !== "" && publicKeys.length > 0;
}
