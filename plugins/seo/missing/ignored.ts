/** What of a missing address stands in the setting. A star in it is one, and no pattern for all others. */
export const ignoredPath = (url: string) => url.replace(/\?.*$/, '').replaceAll('*', '%2A')

/** Tells whether an address is one of those that the owner does not want to hear of: paths, in which `*` is anything. */
export function createIgnored(paths: () => readonly string[]): (url: string) => boolean {
  let known: readonly string[] = []
  let exact = new Set<string>()
  let patterns: string[][] = []

  function read(current: readonly string[]): void {
    known = current
    exact = new Set(current.filter((path) => !path.includes('*')))
    patterns = current.filter((path) => path.includes('*')).map((path) => path.split('*'))
  }

  return (url) => {
    // What the settings answer is another object after each change.
    if (paths() !== known) read(paths())
    const path = ignoredPath(url)
    return exact.has(path) || patterns.some((parts) => fits(path, parts))
  }
}

/** By looking for one part after the other: no pattern makes a request slow. */
function fits(path: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (!path.startsWith(first) || !path.endsWith(last) || path.length < first.length + last.length) return false
  const end = path.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = path.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
