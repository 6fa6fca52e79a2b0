/**
 * Path, query and fragment of an address on this site; `undefined` for one elsewhere. Slashes in a row become one: in
 * front they would name another host.
 */
export function ownAddress(url: string, siteUrl: string): string | undefined {
  const target = URL.parse(url, siteUrl)
  if (!target || target.origin !== new URL(siteUrl).origin) return undefined
  return target.pathname.replace(/\/{2,}/g, '/') + target.search + target.hash
}
