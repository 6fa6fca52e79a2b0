import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateXML } from 'xmllint-wasm'

const FOLDER = join(import.meta.dirname, '../../fixtures/sitemap-schemas')
/**
 * As published: https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd and siteindex.xsd, and
 * http://www.google.com/schemas/sitemap-image/1.1/sitemap-image.xsd
 */
const FILES = ['sitemap.xsd', 'siteindex.xsd', 'sitemap-image.xsd'].map((fileName) => ({
  fileName,
  contents: readFileSync(join(FOLDER, fileName), 'utf8'),
}))

/** The schemas of both namespaces together, as `schemaLocation` of a map names them. */
const together = (protocol: string) => `<schema xmlns="http://www.w3.org/2001/XMLSchema">
<import namespace="http://www.sitemaps.org/schemas/sitemap/0.9" schemaLocation="${protocol}"/>
<import namespace="http://www.google.com/schemas/sitemap-image/1.1" schemaLocation="sitemap-image.xsd"/>
</schema>`

/** What is wrong with maps by the official schemas, by libxml2. */
export async function errorsOf(
  maps: readonly { readonly name: string; readonly xml: string }[],
  protocol: 'sitemap.xsd' | 'siteindex.xsd' = 'sitemap.xsd',
): Promise<string[]> {
  const { errors } = await validateXML({
    xml: maps.map(({ name, xml }) => ({ fileName: `${name}.xml`, contents: xml })),
    schema: [{ fileName: 'together.xsd', contents: together(protocol) }],
    preload: FILES,
  })
  return errors.map(({ message }) => message)
}
