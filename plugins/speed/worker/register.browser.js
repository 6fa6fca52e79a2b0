/** Registers the service worker after the page has loaded, so that it does not compete for bandwidth. */
const register = () => navigator.serviceWorker.register(WORKER_PATH, { scope: '/', updateViaCache: 'none' })

if ('serviceWorker' in navigator) {
  const start = () => register().catch(() => {})
  if (document.readyState === 'complete') start()
  else addEventListener('load', start)
}
