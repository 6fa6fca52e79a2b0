import { LRUCache } from 'lru-cache'
import { type FindLocalFile, readText } from '../files/local-files.ts'

/** A style sheet of this site. */
export interface LocalSheet {
  readonly css: string
  /** Changes whenever the content may have changed. */
  readonly identity: string
  /** File name without extension. */
  readonly name: string
  /** Whether there is any `@font-face` in it. */
  readonly hasFonts: boolean
}

/** Reads the style sheet at a URL of this site; `undefined` if there is none. */
export type ReadLocalSheet = (url: URL) => Promise<LocalSheet | undefined>

/** Reads each sheet once until it changes. */
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
