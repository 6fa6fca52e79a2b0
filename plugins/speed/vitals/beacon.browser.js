/**
 * Measures the web vitals of one visit and sends them when the visitor leaves. Bundled for the browser by
 * `page-script.ts`; reads its data from a block of JSON beside it, so that a Content-Security-Policy needs no exception.
 */
import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'

// An author may give any element that name, but writes no script.
const block = document.querySelector('script[type="application/json"]#speed-vitals')
const { token, endpoint, rate } = block ? JSON.parse(block.textContent) : { rate: 0 }

if (Math.random() * 100 < rate) measure()

function measure() {
  /** The last value of each metric; the server counts one vote for each `id`. */
  const waiting = new Map()
  const device = deviceOf(navigator.userAgent)

  const keep = ({ name, value, id, rating, navigationType }) => {
    // The server refuses a whole report for one value out of bounds, such as that of a computer that slept.
    if (value <= (name === 'CLS' ? 10 : 60000)) waiting.set(id, { name, value, id, rating, navigationType })
  }
  // Each change at once: on some ways out of a page the library's last word would come after the report.
  for (const listen of [onLCP, onCLS, onINP, onFCP, onTTFB]) listen(keep, { reportAllChanges: true })

  const send = () => {
    if (waiting.size === 0) return
    const body = JSON.stringify({
      token,
      url: location.origin + location.pathname,
      metrics: [...waiting.values()].slice(0, 10),
      device,
      connection: navigator.connection?.effectiveType,
    })
    waiting.clear()
    // Text needs no question beforehand and no header of its own, and the browser sends it after the page is gone.
    if (navigator.sendBeacon?.(endpoint, body)) return
    fetch(endpoint, { method: 'POST', body, keepalive: true, headers: { 'Content-Type': 'text/plain' } }).catch(
      () => {},
    )
  }

  // As it bubbles, after the library, which says its last values while the event is captured.
  addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && send())
  addEventListener('pagehide', send)
}

function deviceOf(agent) {
  if (/iPad|Tablet|PlayBook|Silk|Android(?!.*Mobile)/.test(agent)) return 'tablet'
  if (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1) return 'tablet'
  return /Mobi|iPhone|iPod/.test(agent) ? 'mobile' : 'desktop'
}
