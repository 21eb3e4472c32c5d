/** Made by build/text-modules.ts of the page's texts: those of one language, by feature. */
declare module "virtual:texts/*" {
  interface Texts {
    readonly [name: string]: string | Texts;
  }
  const texts: Readonly<Record<string, Texts>>;
  export default texts;
}
