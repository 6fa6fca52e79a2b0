/** Fallback for pages that are not cached: a page of the site with its files, or a plain page. */

import { isCacheable } from './cacheable.browser.js'
import { OFFLINE } from './caches.browser.js'
import { plainPage } from './plain-page.browser.js'

const { fallbackPath, texts } = SETTINGS

/** Maximum files per page. */
const MOST_FILES = 60

export async function offlinePage() {
  const kept = fallbackPath && (await (await caches.open(OFFLINE)).match(fallbackPath, { ignoreVary: true }))
  return kept || plainPage(texts.offlineTitle, texts.offlineText, 503)
}

/** Caches the public offline page, and updates it when it has changed. On errors the cached version is kept. */
export async function cacheOfflinePage() {
  if (!fallbackPath) return
  const cache = await caches.open(OFFLINE)
  const page = await fetchShared(fallbackPath)
  if (!page || !isCacheable(page, true)) return
  const html = await page.clone().text()
  const before = await cache.match(fallbackPath, { ignoreVary: true })
  if (before && (await before.text()) === html) return
  const files = await fetchFiles(html, new URL(fallbackPath, location.origin))
  for (const [address, file] of files) await cache.put(address, file)
  await cache.put(fallbackPath, page)
  const needed = new Set([new URL(fallbackPath, location.origin).href, ...files.keys()])
  const others = (await cache.keys()).filter(({ url }) => !needed.has(url))
  await Promise.all(others.map((request) => cache.delete(request)))
}

/** Fetches the files of the page and of its style sheets. @returns responses by URL */
async function fetchFiles(html, base) {
  const files = new Map()
  async function add(addresses) {
    const fresh = addresses.filter((address) => !files.has(address)).slice(0, MOST_FILES - files.size)
    for (const address of fresh) files.set(address, undefined)
    await Promise.all(fresh.map(addFile))
  }
  async function addFile(address) {
    const file = await fetchShared(address)
    if (!file || !isCacheable(file, false)) return files.delete(address)
    files.set(address, file)
    if (/css/i.test(file.headers.get('content-type') ?? '')) await add(fileNames(await file.clone().text(), address))
  }
  await add(fileNames(html, base))
  return files
}

/**
 * URLs of this site in a text that look like style sheets, scripts, fonts or images. Does not parse HTML or CSS, since
 * extra URLs do no harm.
 */
function fileNames(text, base) {
  const found = text.matchAll(
    /[^\s"'()<>=,;]+\.(?:css|js|woff2?|png|jpe?g|gif|webp|avif|svg|ico)(?:\?[^\s"'()<>,]*)?/gi,
  )
  const urls = Array.from(found, ([address]) => toUrl(address.replace(/&amp;|&#0*38;/g, '&'), base))
  return [...new Set(urls.filter((url) => url?.origin === location.origin).map(({ href }) => href))]
}

function toUrl(address, base) {
  try {
    return new URL(address, base)
  } catch {
    return undefined
  }
}

const fetchShared = (address) => fetch(address, { credentials: 'omit', cache: 'no-cache' }).catch(() => undefined)
