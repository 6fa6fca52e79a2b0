/** A URL as a pattern for the setting, with `*` escaped. */
export const ignoredPath = (url: string) => url.replace(/\?.*$/, '').replaceAll('*', '%2A')

/** Whether a URL is excluded from the 404 log: paths with `*` as wildcard. */
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
    // The settings return a new object after each change.
    if (paths() !== known) read(paths())
    const path = ignoredPath(url)
    return exact.has(path) || patterns.some((parts) => fits(path, parts))
  }
}

/** Matches one part after the other, in linear time. */
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
