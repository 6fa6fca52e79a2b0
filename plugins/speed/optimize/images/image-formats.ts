import { type ExtensionHost, escapeHtml } from 'pentad'
import type { Asset } from '../assets/store.ts'
import type { ReadPageSheets } from '../css/page-sheets.ts'
import { isPlaced } from '../css/sheet-facts.ts'
import type { FindLocalFile, LocalFile } from '../files/local-files.ts'
import { allowsInlineStyles, readPolicies } from '../html/content-policy.ts'
import type { HtmlElement } from '../html/document.ts'
import type { PageWork, Transform } from '../transform.ts'
import { type CopyFormat, copyImage, LARGEST_IMAGE } from './image-copy.ts'
import { shownElements } from './page-images.ts'
import { type Candidate, formatSrcset, parseSrcset } from './srcset.ts'

const CONVERTIBLE = /\.(?:jpe?g|png|gif)$/i
/** What scripts show in an image's place later on; a `<source>` would keep it from showing. */
const SCRIPTED = /^(?:data-(?:src|srcset|lazy|large_image|original|bg)|on[a-z]+$|id$)/

/** The images that a browser chooses from, with their files. */
type Choice = Candidate & { readonly file: LocalFile }

/**
 * Offers AVIF and WebP copies of JPEG, PNG and still GIF images to browsers that know them: `<picture>` around the
 * image, once every copy that it names is there. A format is offered only where each copy is smaller than its original.
 *
 * Left alone are images that are in a `<picture>` already, that scripts seem to change, and those that a style sheet
 * finds by their place (`figure > img`): there the picture would change the look.
 */
export function createImageFormats(
  host: ExtensionHost,
  parts: { findLocalFile: FindLocalFile; readPageSheets: ReadPageSheets },
): Transform {
  const { findLocalFile, readPageSheets } = parts
  /** A copy takes a whole core, so they are made one after another. */
  let turn: Promise<unknown> = Promise.resolve()

  function copied(bytes: Buffer, format: CopyFormat, quality: number): Promise<Buffer | null> {
    const mine = turn.then(() => copyImage(bytes, format, quality))
    turn = mine.catch(() => {})
    return mine
  }

  /** `undefined` if one of them is not ours to copy. */
  async function choicesOf({ attributes }: HtmlElement, work: PageWork): Promise<Choice[] | undefined> {
    const srcset = parseSrcset(attributes.get('srcset') ?? '')
    const candidates = srcset.length > 0 ? srcset : [{ url: attributes.get('src') ?? '', descriptor: '' }]
    const choices = await Promise.all(
      candidates.map(async (candidate) => {
        const url = work.resolve(candidate.url)
        if (!url || !CONVERTIBLE.test(url.pathname) || work.isExcluded(candidate.url)) return undefined
        const file = await findLocalFile(url)
        return file && file.size > 0 && file.size <= LARGEST_IMAGE ? { ...candidate, file } : undefined
      }),
    )
    const found = choices.filter((choice) => choice !== undefined)
    return found.length === candidates.length ? found : undefined
  }

  function copyOf({ url, file }: Choice, format: CopyFormat, work: PageWork): Asset | undefined {
    const { imageQuality } = work.settings
    return work.asset({
      key: `image ${format} ${imageQuality} ${file.identity}`,
      type: 'image',
      source: work.resolve(url)?.pathname ?? url,
      async make() {
        const bytes = await file.read()
        // A damaged file stays so: that nothing came of it is remembered until it changes.
        const copy = await copied(bytes, format, imageQuality).catch((error) => {
          host.log.debug({ err: error, image: url }, 'an image could not be read')
          return null
        })
        const name = file.name.replace(/\.\w+$/, '')
        return copy ? { name, extension: format, content: copy, originalSize: bytes.length } : undefined
      },
    })
  }

  return {
    name: 'imageFormats',
    isOn: ({ imageFormats }) => imageFormats.length > 0,
    async run(document, page, work) {
      if (!allowsInlineStyles(readPolicies(host, page, document))) return
      const images = shownElements(document, work, 'img').filter(
        (image) => !document.isIn(image, 'picture') && !isScripted(image),
      )
      const sheets = images.length > 0 ? await readPageSheets(document, work) : undefined
      if (!sheets) return
      for (const image of images) {
        const choices = isPlaced(image, sheets) ? undefined : await choicesOf(image, work)
        if (!choices) continue
        const sources = work.settings.imageFormats
          .map((format) => ({
            format,
            copies: choices.map((choice) => ({ choice, copy: copyOf(choice, format, work) })),
          }))
          .flatMap(({ format, copies }) => sourceOf(image, format, copies, work))
          .toSorted((a, b) => a.size - b.size)
        if (sources.length === 0) continue
        // `contents`: to the layout the picture is not there.
        document.before(image, `<picture style="display:contents">${sources.map(({ html }) => html).join('')}`)
        document.after(image, '</picture>')
      }
    },
  }
}

function isScripted({ attributes }: HtmlElement): boolean {
  return [...attributes.keys()].some((name) => SCRIPTED.test(name))
}

/** The `<source>` of a format with the bytes of all its files, or nothing where a copy is missing. */
function sourceOf(
  image: HtmlElement,
  format: CopyFormat,
  copies: readonly { readonly choice: Choice; readonly copy: Asset | undefined }[],
  work: PageWork,
): { readonly html: string; readonly size: number }[] {
  const candidates = copies.flatMap(({ choice, copy }) =>
    copy ? [{ url: work.assetUrl(copy), descriptor: choice.descriptor }] : [],
  )
  if (candidates.length < copies.length) return []
  const sizes = image.attributes.get('sizes')
  const written = sizes === undefined ? '' : ` sizes="${escapeHtml(sizes)}"`
  // To flex and grid boxes a `<source>` would be an item, since no browser hides it.
  const html = `<source style="display:none" type="image/${format}" srcset="${escapeHtml(formatSrcset(candidates))}"${written}>`
  return [{ html, size: copies.reduce((sum, { copy }) => sum + (copy?.size ?? 0), 0) }]
}
