/** Made by ui/build/text-modules.ts of app/texts.ts: the texts of one language, by feature. */
declare module "virtual:texts/*" {
  interface Texts {
    readonly [name: string]: string | Texts;
  }
  const texts: Readonly<Record<string, Texts>>;
  export default texts;
}
