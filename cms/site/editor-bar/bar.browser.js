/** Purges the current page, closes open menus, and removes the bar from frames. */
const host = document.querySelector('#wpadminbar')
// It is not part of what a preview shows.
if (self !== top) host.remove()
const bar = host.shadowRoot
const button = bar.querySelector('button')
const status = bar.querySelector('[role="status"]')
button?.addEventListener('click', async () => {
  // A disabled button would lose the focus.
  if (button.ariaDisabled === 'true') return
  button.ariaDisabled = 'true'
  const { root, nonce, url, purged, failed } = button.dataset
  const response = await fetch(`${root}host/v1/purge`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-WP-Nonce': nonce },
    body: JSON.stringify({ urls: [url] }),
  }).catch(() => undefined)
  status.textContent = response?.ok ? purged : failed
  button.ariaDisabled = 'false'
})
const menus = [...bar.querySelectorAll('details')]
bar.addEventListener('keydown', ({ key, target }) => {
  const menu = target.closest('details[open]')
  if (key !== 'Escape' || !menu) return
  menu.open = false
  menu.querySelector('summary').focus()
})
document.addEventListener('click', (event) => {
  for (const menu of menus) if (!event.composedPath().includes(menu)) menu.open = false
})
