import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { plainText, RestError } from 'pentad'
import { parseBlocks } from '../../cms/content/blocks/parser.ts'
import { stripBlocks, textBlocks } from '../../cms/content/blocks/strip.ts'
import { openExport } from '../../cms/content/import/export-files.ts'
import { decodePhp } from '../../cms/content/import/php-serialized.ts'
import { readElements } from '../../cms/content/import/read-elements.ts'
import { WxrError } from '../../cms/content/import/wxr-error.ts'
import { sanitizeFileName } from '../../cms/content/media/file-name.ts'
import { sanitizeSvg } from '../../cms/content/media/svg.ts'
import { toParagraphs } from '../../cms/content/render/autop.ts'
import { firstWords } from '../../cms/content/render/excerpt.ts'
import { openingTags, withoutTags } from '../../cms/content/render/html.ts'
import { linkAddresses } from '../../cms/content/render/link-addresses.ts'
import { readAttributes } from '../../cms/content/render/shortcode-attributes.ts'
import { findShortcodes } from '../../cms/content/render/shortcodes.ts'
import { convertSmilies } from '../../cms/content/render/smilies.ts'
import { texturize } from '../../cms/content/render/texturize.ts'
import { cleanComment, cleanName, sanitizeTextField } from '../../cms/content/sanitize.ts'
import { cleanPostHtml } from '../../cms/content/sanitize-post.ts'
import { sanitizeTitle } from '../../cms/content/slug.ts'
import { readShownText } from '../../cms/content/visible-words.ts'
import { itCostsInProportion } from '../host/proportional.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const TEXTURIZE_RULES = { language: 'en', tags: ['pre'], shortcodes: ['gallery', 'caption'], untouchedShortcodes: [] }

describe('A hostile text costs in proportion to its length', () => {
  const isKnown = () => true
  const exportFile = join(temporaryFolder(), 'export.xml')
  const steps: Record<string, (text: string) => unknown> = {
    toParagraphs,
    linkAddresses,
    stripBlocks,
    textBlocks,
    parseBlocks,
    openingTags,
    convertSmilies,
    cleanComment,
    cleanName,
    sanitizeTextField,
    cleanPostHtml,
    sanitizeTitle,
    plainText,
    readAttributes,
    texturize: (text) => texturize(text, TEXTURIZE_RULES),
    findShortcodes: (text) => [...findShortcodes(text, isKnown)],
    decodePhp: (text) => decodePhp(`s:${text.length}:"${text}";`),
    decodeNestedPhp: (text) => decodePhp(text.replaceAll(/.{9}/gs, 'a:1:{i:0;')),
    sanitizeSvg: (text) =>
      sanitizeSvg(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><text>${text}</text></svg>`)),
    sanitizeFileName: (text) => sanitizeFileName(text, isKnown),
    readElements: async (text) => {
      await writeFile(
        exportFile,
        `<rss><channel><item><title><![CDATA[${text}]]></title>${text}</item></channel></rss>`,
      )
      for (const file of await openExport(exportFile)) for await (const _ of readElements(file));
    },
    firstWords: (text) => firstWords(text, 55, ''),
    readShownText: async (text) => (await readShownText(text)).partsOf(text),
  }
  const rejects = (error: unknown) => error instanceof RestError || error instanceof WxrError
  for (const [name, step] of Object.entries(steps)) itCostsInProportion(name, step, rejects)

  it('and is looked at once for an excerpt, however long its words are', async () => {
    const text = 'a'.repeat(1_000_000)
    let read = 0
    const isEnough = (part: string) => {
      read += part.length
      return false
    }
    expect(await withoutTags(`<p>${text}</p>`, isEnough)).to.equal(text)
    expect(read).to.equal(text.length)
    expect(await firstWords(text, 55, '')).to.equal(text)
  })
})
