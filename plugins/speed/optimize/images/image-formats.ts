import { type ExtensionHost, escapeHtml } from 'pentad'
import type { Asset } from '../assets/store.ts'
import type { ReadPageSheets } from '../css/page-sheets.ts'
import { isPlaced } from '../css/sheet-facts.ts'
import type { FindLocalFile, LocalFile } from '../files/local-files.ts'
import { allowsInlineStyles } from '../html/content-policy.ts'
import type { HtmlElement } from '../html/document.ts'
import type { PageWork, Transform } from '../transform.ts'
import { type CopyFormat, copyImage, LARGEST_IMAGE } from './image-copy.ts'
import { shownElements } from './page-images.ts'
import { type Candidate, formatSrcset, parseSrcset } from './srcset.ts'

const CONVERTIBLE = /\.(?:jpe?g|png|gif)$/i
/** Attributes used by scripts that replace images; a `<source>` would override the replacement. */
const SCRIPTED = /^(?:data-(?:src|srcset|lazy|large_image|original|bg)|on[a-z]+$|id$)/

/** A candidate image with its file. */
type Choice = Candidate & { readonly file: LocalFile }

/**
 * Serves AVIF and WebP copies of JPEG, PNG and still GIF images to browsers that support them: wraps images in
 * `<picture>` once all copies are available. A format is offered only if each copy is smaller than its original.
 *
 * Not changed: images already in `<picture>`, images that scripts seem to change, and images matched by position in a
 * style sheet (`figure > img`), whose appearance could change.
 */
export function createImageFormats(
  host: ExtensionHost,
  parts: { findLocalFile: FindLocalFile; readPageSheets: ReadPageSheets },
): Transform {
  const { findLocalFile, readPageSheets } = parts
  /** Conversions are sequential, since each uses a full CPU core. */
  let turn: Promise<unknown> = Promise.resolve()

  function copied(bytes: Buffer, format: CopyFormat, quality: number): Promise<Buffer | null> {
    const mine = turn.then(() => copyImage(bytes, format, quality))
    turn = mine.catch(() => {})
    return mine
  }

  /** `undefined` if one of them cannot be converted. */
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
        // A damaged file is not retried until it changes.
        const copy = await copied(bytes, format, imageQuality).catch((error) => {
          host.log.debug({ err: error, image: url }, 'image could not be decoded')
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
    async run(document, work) {
      if (!allowsInlineStyles(work.policies)) return
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
        // `contents` removes the picture from the layout.
        document.before(image, `<picture style="display:contents">${sources.map(({ html }) => html).join('')}`)
        document.after(image, '</picture>')
      }
    },
  }
}

function isScripted({ attributes }: HtmlElement): boolean {
  return [...attributes.keys()].some((name) => SCRIPTED.test(name))
}

/** The `<source>` of a format with the total size of its files; empty if a copy is missing. */
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
  // Without `display:none`, a `<source>` would be an item in flex and grid containers.
  const html = `<source style="display:none" type="image/${format}" srcset="${escapeHtml(formatSrcset(candidates))}"${written}>`
  return [{ html, size: copies.reduce((sum, { copy }) => sum + (copy?.size ?? 0), 0) }]
}
