import { LRUCache } from 'lru-cache'
import { type FindLocalFile, readText } from '../files/local-files.ts'

/** A style sheet of this site. */
export interface LocalSheet {
  readonly css: string
  /** Another one whenever the content may be another. */
  readonly identity: string
  /** Of its file, without extension. */
  readonly name: string
  /** Whether there is any `@font-face` in it. */
  readonly hasFonts: boolean
}

/** The style sheet of an address, or `undefined` if this site has none there. */
export type ReadLocalSheet = (url: URL) => Promise<LocalSheet | undefined>

/** Reads each sheet once while it stays what it is. */
export function createReadLocalSheet(findLocalFile: FindLocalFile): ReadLocalSheet {
  const sheets = new LRUCache<string, LocalSheet>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ css }) => 100 + css.length * 2,
  })
  return async (url) => {
    const file = await findLocalFile(url)
    if (!file) return undefined
    const { identity, name } = file
    const known = sheets.get(identity)
    if (known) return known
    const css = await readText(file)
    const sheet = { css, identity, name: name.replace(/\.\w+$/, ''), hasFonts: /@font-face/i.test(css) }
    sheets.set(identity, sheet)
    return sheet
  }
}
