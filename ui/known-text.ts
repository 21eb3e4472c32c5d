import { translate, type TextValues } from "./translate.ts";

/** Returns the text at a key that contains a name from elsewhere, or undefined if this page, which may be older, has none. */
export function knownText(
  t: (key: never, values?: TextValues) => string,
  key: string,
  values?: TextValues,
): string | undefined {
  const text = (t as (key: string, values?: TextValues) => string)(key, values);
  // `t` returns this if there is no text. It takes what is before a colon, which a name may contain, for a feature.
  const missing = translate(undefined, "es", key.slice(key.indexOf(":") + 1), values);
  return text === missing ? undefined : text;
}
