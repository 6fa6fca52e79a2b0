/**
 * A line of `checksums.sha256` as GNU `sha256sum` writes it: a name with a backslash, a newline or a carriage return
 * is escaped and the line then begins with a backslash (coreutils manual, "md5sum invocation").
 */
export function checksumLine(name: string, sha256: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
  return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`
}
