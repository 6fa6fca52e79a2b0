import { imageName } from './media-map.ts'

/** A media file that this site should have. */
export interface WantedFile {
  /** Below the uploads folder. */
  readonly file: string
  /** Where it was on the web; empty if nobody knows. */
  readonly source: string
}

/** The files of attachments, and those that texts name. */
export interface WantedFiles {
  want(file: WantedFile): void
  all(): readonly WantedFile[]
  /** Files of the same image, which a missing size of it can be made from. */
  sameImage(file: string): readonly string[]
}

/** A hostile export could name files without an end. */
const MOST = 1_000_000

/** More sizes than that no theme has. */
const MOST_SIZES = 200

export function createWantedFiles(): WantedFiles {
  const files = new Map<string, WantedFile>()
  const images = new Map<string, string[]>()
  return {
    want(wanted) {
      const known = files.get(wanted.file)
      if (known) {
        if (known.source === '') files.set(wanted.file, wanted)
        return
      }
      const name = imageName(wanted.file)
      const same = images.get(name) ?? []
      if (files.size >= MOST || same.length >= MOST_SIZES) return
      files.set(wanted.file, wanted)
      same.push(wanted.file)
      images.set(name, same)
    },
    all: () => [...files.values()],
    sameImage: (file) => images.get(imageName(file)) ?? [],
  }
}
