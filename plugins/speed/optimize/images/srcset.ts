/** A candidate of a `srcset`: URL and descriptor (`640w`, `2x`, or empty). */
export interface Candidate {
  readonly url: string
  readonly descriptor: string
}

/**
 * Parses a `srcset` (HTML standard, "parse a srcset attribute"): URLs may contain commas, so only a comma at the end of
 * a URL or after a descriptor separates.
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

/** Serializes candidates as a `srcset`. URLs must not contain spaces. */
export function formatSrcset(candidates: readonly Candidate[]): string {
  return candidates.map(({ url, descriptor }) => (descriptor === '' ? url : `${url} ${descriptor}`)).join(', ')
}
