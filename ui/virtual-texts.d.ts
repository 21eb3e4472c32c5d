/** Created by build/text-modules.ts from the page's texts in one language, by feature. */
declare module "virtual:texts/*" {
  interface Texts {
    readonly [name: string]: string | Texts;
  }
  const texts: Readonly<Record<string, Texts>>;
  export default texts;
}
