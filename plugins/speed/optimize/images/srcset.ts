/** One candidate of a `srcset`: where it is, and for which width or density (`640w`, `2x`, or nothing). */
export interface Candidate {
  readonly url: string
  readonly descriptor: string
}

/**
 * Reads a `srcset` as browsers do (HTML standard, "parse a srcset attribute"): addresses may hold commas, so that only
 * one at the end of an address or after a descriptor separates.
 */
export function parseSrcset(srcset: string): Candidate[] {
  const candidates: Candidate[] = []
  const address = /[\s,]*(\S+)/y
  const descriptors = /((?:\([^)]*\)|[^,(])*),?/y
  for (;;) {
    const url = address.exec(srcset)?.[1]
    if (url === undefined) return candidates
    const bare = url.replace(/,+$/, '')
    if (bare !== url) candidates.push({ url: bare, descriptor: '' })
    else {
      descriptors.lastIndex = address.lastIndex
      candidates.push({ url, descriptor: (descriptors.exec(srcset)?.[1] ?? '').trim() })
      address.lastIndex = descriptors.lastIndex
    }
  }
}

/** Writes candidates as a `srcset`. Blanks in addresses would end them. */
export function formatSrcset(candidates: readonly Candidate[]): string {
  return candidates.map(({ url, descriptor }) => (descriptor === '' ? url : `${url} ${descriptor}`)).join(', ')
}
