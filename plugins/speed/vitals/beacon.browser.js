/**
 * Measures the web vitals of a visit and reports them when the visitor leaves. Bundled by `page-script.ts`; reads its
 * data from a JSON block, so that no Content-Security-Policy exception is needed.
 */
import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'

// Content may contain any element with this id, but no script.
const block = document.querySelector('script[type="application/json"]#speed-vitals')
const { token, endpoint, rate } = block ? JSON.parse(block.textContent) : { rate: 0 }

if (Math.random() * 100 < rate) measure()

function measure() {
  /** The last value of each metric; the server counts one sample per `id`. */
  const waiting = new Map()
  const device = deviceOf(navigator.userAgent)

  const record = ({ name, value, id, rating, navigationType }) => {
    // The server rejects a report with a value out of bounds, for example after the computer slept.
    if (value <= (name === 'CLS' ? 10 : 60000)) waiting.set(id, { name, value, id, rating, navigationType })
  }
  // Every change is recorded, since the library's final value may come after the report.
  for (const listen of [onLCP, onCLS, onINP, onFCP, onTTFB]) listen(record, { reportAllChanges: true })

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
    // Plain text needs no CORS preflight, and the browser sends it even after the page is unloaded.
    if (navigator.sendBeacon?.(endpoint, body)) return
    fetch(endpoint, { method: 'POST', body, keepalive: true, headers: { 'Content-Type': 'text/plain' } }).catch(
      () => {},
    )
  }

  // In the bubbling phase, after the library, which reports final values in the capture phase.
  addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && send())
  addEventListener('pagehide', send)
}

function deviceOf(agent) {
  if (/iPad|Tablet|PlayBook|Silk|Android(?!.*Mobile)/.test(agent)) return 'tablet'
  if (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1) return 'tablet'
  return /Mobi|iPhone|iPod/.test(agent) ? 'mobile' : 'desktop'
}
