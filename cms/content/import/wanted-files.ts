import { imageName } from './media-map.ts'
import { ownCopy } from './own-copy.ts'

/** A media file that this site should have. */
export interface WantedFile {
  /** Below the uploads folder. */
  readonly file: string
  /** Possible URLs of the original, most likely first. */
  readonly sources: readonly string[]
}

/** The files of attachments, and those that texts name. */
export interface WantedFiles {
  /** @param source a URL of it; none for an empty one */
  want(file: string, source: string): void
  all(): readonly WantedFile[]
  /** Other files of the same image, from which a missing size can be generated. */
  sameImage(file: string): readonly string[]
}

/** Limit of files: a hostile export could name any number. */
const MOST = 1_000_000
/** Maximum number of URLs to try for one file. */
const MOST_SOURCES = 3
/** No theme has more sizes. */
const MOST_SIZES = 200

export function createWantedFiles(): WantedFiles {
  const files = new Map<string, string[]>()
  const images = new Map<string, string[]>()
  return {
    want(file, source) {
      const known = files.get(file)
      const sources = known ?? []
      if (source !== '' && sources.length < MOST_SOURCES && !sources.includes(source)) sources.push(ownCopy(source))
      if (known) return
      const same = images.get(imageName(file)) ?? []
      if (files.size >= MOST || same.length >= MOST_SIZES) return
      const kept = ownCopy(file)
      files.set(kept, sources)
      same.push(kept)
      images.set(imageName(kept), same)
    },
    all: () => [...files].map(([file, sources]) => ({ file, sources })),
    sameImage: (file) => images.get(imageName(file)) ?? [],
  }
}
