import { hash } from 'node:crypto'

/**
 * A strict content security policy that also allows the fonts and colors of the theme, which its pages contain: the inline
 * style by its hash, and nothing else inline.
 * @param policy has `style-src 'self'`, and pages of the site are served with it already
 */
export async function allowThemeStyles(siteUrl: string, policy: string): Promise<string> {
  // A page of search results is not cached with the stricter policy.
  const html = await (await fetch(`${siteUrl}/?s=style`)).text()
  const style = /<style id="?global-styles-inline-css"?>([\s\S]*?)<\/style>/.exec(html)?.[1]
  if (style === undefined) throw new Error('The page has no styles of the theme.')
  const source = `'sha256-${hash('sha256', style, 'base64')}'`
  return `${policy.replace("style-src 'self'", `style-src 'self' ${source}`)}; font-src 'self'`
}
