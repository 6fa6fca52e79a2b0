/** Registers the service worker once the page is loaded, so that it takes nothing from it. */
const register = () => navigator.serviceWorker.register(WORKER_PATH, { scope: '/', updateViaCache: 'none' })

if ('serviceWorker' in navigator) {
  const start = () => register().catch(() => {})
  if (document.readyState === 'complete') start()
  else addEventListener('load', start)
}
