/**
 * The README for the package: a link to a file that is not in the package becomes its text.
 *
 * @param isShipped - Whether a path, relative to the package, exists there.
 */
export function packageReadme(text: string, isShipped: (path: string) => boolean): string {
  return text.replace(/(?<!!)\[([^\]]+)\]\((?![a-z]+:|#)([^)#]+)(?:#[^)]*)?\)/g, (link, label: string, path: string) =>
    isShipped(path) ? link : label,
  )
}
