/**
 * A line of `checksums.sha256` as GNU `sha256sum` writes it: a name with a backslash, a newline or a carriage return
 * is escaped and the line then begins with a backslash (coreutils manual, "md5sum invocation").
 */
export function checksumLine(name: string, sha256: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`
}

/** The name and the sum in a line, without its newline; `undefined` if it is no such line. */
export function parseChecksumLine(line: string): { name: string; sha256: string } | undefined {
  const [, escaped, sha256, text] = /^(\\?)([0-9a-f]{64}) {2}(.+)$/s.exec(line) ?? []
  if (sha256 === undefined || text === undefined) return undefined
  if (!escaped) return { name: text, sha256 }
  const name = text.replace(/\\([\\nr])/g, (_, letter) => (letter === 'n' ? '\n' : letter === 'r' ? '\r' : '\\'))
  return { name, sha256 }
}
