/** Rules for caching: only responses that are the same for everyone. */
import { unregistered } from './unregister.browser.js'

/** Scripts and personal pages. */
const PERSONAL_PATH =
  /^\/(wp-admin|wp-json|mcp)(\/|$)|^\/(wp-[a-z-]+|xmlrpc)\.php|\/(cart|basket|checkout|my-account|account|login|logout|order-received|order-pay|wishlist)(\/|$)/i

const PERSONAL_PARAMETER =
  /^(preview|preview_id|preview_nonce|_wpnonce|nonce|rest_route|moderation-hash|unapproved|add-to-cart|remove_item|wc-ajax|key|token|customize_.*)$/i

/** Whether the response of a URL is the same for everyone. */
export function isShared(url) {
  return (
    url.origin === location.origin &&
    !PERSONAL_PATH.test(url.pathname) &&
    !url.pathname.startsWith(SETTINGS.restPath) &&
    ![...url.searchParams.keys()].some((name) => PERSONAL_PARAMETER.test(name)) &&
    !SETTINGS.excluded.some((pattern) => matches(url.pathname, pattern))
  )
}

/**
 * Whether the response may be cached. Workers cannot see cookies, so the site marks responses that set one as private.
 */
export function isPublic(response) {
  return !/no-store|private/i.test(response.headers.get('cache-control') ?? '')
}

/** @param html whether it must be HTML; otherwise it must not be, such as an error page for a file */
export function isCacheable(response, html) {
  return (
    !unregistered.now &&
    response.status === 200 &&
    (response.type === 'basic' || response.type === 'default') &&
    !response.redirected &&
    isPublic(response) &&
    /html/i.test(response.headers.get('content-type') ?? '') === html
  )
}

/** Matches a path with a pattern in which `*` is a wildcard. */
function matches(path, pattern) {
  const [start, ...parts] = pattern.split('*')
  const end = parts.pop()
  if (end === undefined) return path === pattern
  let at = start.length
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return path.startsWith(start) && path.endsWith(end) && path.length - end.length >= at
}
