/**
 * Prefetches a page of this site when a visitor hovers over, touches or focuses its link. Not needed in browsers that
 * support speculation rules if the page has some.
 */
const DELAY_MS = 65
const MOST = 10
const NO_PAGE = /^\/wp-(?:admin|json|content|includes)\/|^\/wp-[^/]*\.php|\/feed\/|\.(?!html?$)[a-z0-9]{1,5}$/i

const { connection } = navigator
const hasRules =
  HTMLScriptElement.supports?.('speculationrules') && document.querySelector('script[type="speculationrules"]')
const savesData = connection && (connection.saveData || /2g/.test(connection.effectiveType))

if (!hasRules && !savesData) watch()

function watch() {
  const seen = new Set([location.pathname])
  let timer

  const ahead = ({ target }, delay) => {
    const link = target instanceof Element ? target.closest('a[href]') : null
    clearTimeout(timer)
    if (!link || seen.size > MOST || !isPage(link) || seen.has(link.pathname)) return
    timer = setTimeout(() => {
      seen.add(link.pathname)
      prefetch(link.href)
    }, delay)
  }
  const options = { capture: true, passive: true }
  document.addEventListener('mouseover', (event) => ahead(event, DELAY_MS), options)
  document.addEventListener('focusin', (event) => ahead(event, DELAY_MS), options)
  document.addEventListener('touchstart', (event) => ahead(event, 0), options)
}

function isPage(link) {
  if (link.origin !== location.origin || link.search || link.hasAttribute('download')) return false
  if (link.relList.contains('nofollow') || link.closest('.no-prefetch')) return false
  return !NO_PAGE.test(link.pathname)
}

function prefetch(url) {
  const link = document.createElement('link')
  link.rel = 'prefetch'
  link.href = url
  // Safari does not support prefetch links.
  if (link.relList.supports('prefetch')) document.head.append(link)
  else fetch(url, { credentials: 'same-origin', priority: 'low' }).catch(() => {})
}
