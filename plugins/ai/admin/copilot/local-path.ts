/**
 * Path, query, and fragment of a URL on this site; `undefined` for other sites. Repeated slashes are collapsed: at the start
 * they would name another host.
 */
export function localPath(url: string, siteUrl: string): string | undefined {
  const target = URL.parse(url, siteUrl)
  if (!target || target.origin !== new URL(siteUrl).origin) return undefined
  return target.pathname.replace(/\/{2,}/g, '/') + target.search + target.hash
}
